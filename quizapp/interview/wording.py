"""The words of an interview and its report, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from quizapp.cards.kinds import Lang
from quizapp.interview.events import Manner, Why
from quizapp.interview.options import Languages, Level, Style
from quizapp.interview.questions import Role
from quizapp.interview.report import Said
from quizapp.interview.scoring import Reason
from quizapp.recall.calculations import Verdict


@dataclass(frozen=True, slots=True)
class Wording:
    """Every text; ``{…}`` are filled in by whoever shows it."""

    lang: Lang
    colon: str
    semicolon: str
    stop: str
    title: str
    of_day: str
    in_progress: str
    ended_early: str
    dropped: str
    total: str
    roles: Mapping[Role, str]
    one_role: Mapping[Role, str]
    nothing_asked: str
    questions: str
    how_counted: str
    point: str
    said: Mapping[Said, str]
    your_words: str
    cards_line: str
    core: str
    reasons: Mapping[Reason, str]
    lost: str
    nothing_lost: str
    false: str
    sure_but_wrong: str
    why_chosen: str
    chosen_false: str
    chosen_last: str
    your_answer: str
    no_answer: str
    model_answer: str
    manners: Mapping[Manner, str]
    time: str
    overtime: str
    in_time: str
    first_word: str
    pace: str
    fillers: str
    hints: str
    asked_again: Mapping[Why, str]
    verdicts: Mapping[Verdict, str]
    right_answer: str
    proof: str
    proof_skipped: str
    proof_verdicts: Mapping[str, str]
    earlier: str
    earlier_column: tuple[str, str, str, str, str]
    now: str
    study: str
    study_nothing: str
    levels: Mapping[Level, str]
    styles: Mapping[Style, str]
    languages: Mapping[Languages, str]
    setup: str
    seconds: str
    vague: str
    hint: str
    no_hint: str
    prove_it: str
    paused: str
    ticks_later: str
    plain_answer: str
    plain_tick: str
    plain_false: str
    plain_prove: str
    plain_pause: str
    plain_go_on: str
    plain_left: str
    plain_over: str
    unknown: str
    demo_failed: str
    no_record: str
    choose_decks: str
    all_decks: str
    choose_length: str
    choose_languages: str
    choose_level: str
    level_notes: Mapping[Level, str]
    choose_style: str
    style_notes: Mapping[Style, str]
    choose_seconds: str
    choose_count: str
    yes: str
    no: str
    how_to_choose: str
    past: str
    no_past: str
    not_over: str
    time_left: str
    time_over: str
    goal: str
    sure: str
    not_sure: str
    answer_here: str
    summary_here: str
    spoken: str
    tick_heading: str
    counted: str
    proof_how: str
    running: str
    written: str
    nothing_to_study: str
    unreadable: str


ENGLISH = Wording(
    lang=Lang.EN,
    colon=": ",
    semicolon="; ",
    stop=". ",
    title="Mock interview",
    of_day="{day}",
    in_progress="This interview is not over.",
    ended_early="Ended early, at your wish; what was not asked takes no share.",
    dropped="{count} without an answer when it ended; not counted.",
    total="In all",
    roles={
        Role.MAIN: "Main questions",
        Role.FOLLOW_UP: "Follow-ups",
        Role.CALCULATION: "By hand",
    },
    one_role={
        Role.MAIN: "Question",
        Role.FOLLOW_UP: "Follow-up",
        Role.CALCULATION: "By hand",
    },
    nothing_asked="not asked",
    questions="{count} questions in {time}",
    how_counted=(
        "Main questions make up 60 %, by what was said at the bell of their core points; "
        "follow-ups 25 %; calculations 15 %. What was not asked takes no share."
    ),
    point="Point",
    said={
        Said.SAID: "said",
        Said.PARTLY: "partly",
        Said.MISSED: "missed",
        Said.CONTRADICTED: "contradicted",
    },
    your_words="You said",
    cards_line="The card's line",
    core="core",
    reasons={
        Reason.MISSED: "not said",
        Reason.PARTLY: "said in part",
        Reason.LATE: "said after the bell",
        Reason.HINTED: "said after its hint: counts half",
        Reason.CONTRADICTED: "something false was said against it",
        Reason.FALSE: "something false was said",
        Reason.SKIPPED: "passed on",
        Reason.GAVE_UP: "no answer",
        Reason.CALCULATION: "the number is not right",
    },
    lost="−{percent} %",
    nothing_lost="nothing taken off",
    false="You said something false",
    sure_but_wrong="You were sure, and less than half of it was there.",
    why_chosen="Asked because {percent} % of what it tests had not been said",
    chosen_false="something false had been said about it",
    chosen_last="it was missed last time",
    your_answer="Your answer",
    no_answer="(nothing written down)",
    model_answer="Model answer",
    manners={
        Manner.TYPED: "typed",
        Manner.SPOKEN: "said aloud",
        Manner.SUMMARISED: "said aloud, then summarised",
        Manner.TRANSCRIBED: "said aloud, transcribed",
        Manner.GAVE_UP: "no answer",
    },
    time="{seconds} s of {limit} s",
    overtime="{seconds} s over",
    in_time="in time",
    first_word="first word after {seconds} s",
    pace="{words} words a minute",
    fillers="fillers: {count}",
    hints="hints: {count}",
    asked_again={
        Why.VAGUE: "Can you be more definite? What exactly, and why?",
        Why.UNREAD: "I need a number. What do you get, and in which unit?",
    },
    verdicts={
        Verdict.RIGHT: "right",
        Verdict.NEAR: "method right, digits a little off",
        Verdict.MAGNITUDE: "only the order of magnitude is right",
        Verdict.SHIFTED: "the digits are right, the power of ten is not",
        Verdict.SLIP: "a known slip",
        Verdict.WRONG: "wrong",
        Verdict.UNREAD: "no number could be read",
    },
    right_answer="Right answer",
    proof="“Prove it”",
    proof_skipped="passed on; nothing is taken off for it",
    proof_verdicts={
        "proved": "proved",
        "refuted": "refuted",
        "undecided": "undecided",
        "not-measurable": "not measurable",
        "not-measurable-here": "not measurable here",
        "broken": "the run was worthless",
    },
    earlier="Beside your last interviews",
    earlier_column=("day", "in all", "main", "follow-ups", "by hand"),
    now="this one",
    study="What to study next",
    study_nothing="Nothing: every question was answered well.",
    levels={Level.JUNIOR: "junior", Level.MID: "mid", Level.SENIOR: "senior"},
    styles={Style.PRACTICE: "practice", Style.LIVE: "live"},
    languages={
        Languages.EN: "English",
        Languages.ZH: "Chinese",
        Languages.EN_ZH: "asked in English, answered in Chinese",
        Languages.ZH_EN: "asked in Chinese, answered in English",
    },
    setup="Level {level} · {style} · {languages} · seed {seed}",
    seconds="{seconds} s",
    vague="asked again",
    hint="Hint",
    no_hint="there is nothing left to hint at",
    prove_it="Prove it.",
    paused="Paused; the clock stands.",
    ticks_later="Noted. The ticks come at the end.",
    plain_answer=(
        "Type the answer and end it with an empty line, or just press Enter when you have said it "
        "aloud. /hint, /skip, /idk (no answer), /sure, /pause, /end (no more questions), /quit."
    ),
    plain_tick="Numbers tick or untick, Enter goes on, q leaves > ",
    plain_false="The card says this is false; f{number} if you did say it",
    plain_prove="d runs the demo {demo} here, r shows its record, Enter passes, q leaves > ",
    plain_pause="Enter goes on, q leaves > ",
    plain_go_on="Enter goes on > ",
    plain_left="Nothing is lost; `quizapp mock resume --plain` goes on with it.",
    plain_over="The interview is over. The report again: `quizapp mock report {id}`",
    unknown="{reply} is none of these",
    demo_failed="The demo ended without a result{colon}{message}",
    no_record="there is no record of {demo}",
    choose_decks="Decks",
    all_decks="all",
    choose_length="Main questions",
    choose_languages="Languages",
    choose_level="Level",
    level_notes={
        Level.JUNIOR: "half as much time again, one follow-up a question, no proofs",
        Level.MID: "two follow-ups a question, one “prove it”",
        Level.SENIOR: "two follow-ups a question, “prove it” wherever a demo can",
    },
    choose_style="Style",
    style_notes={
        Style.PRACTICE: "model answer and ticks after every answer",
        Style.LIVE: "as in a real interview: ticks and model answers at the end",
    },
    choose_seconds="Seconds to the bell",
    choose_count="Counts as reviews",
    yes="yes",
    no="no",
    how_to_choose="↑ ↓ choose, ← → change, Enter begins",
    past="Interviews so far",
    no_past="none yet",
    not_over="not over: Enter goes on with it",
    time_left="{seconds} s left",
    time_over="time is up: {seconds} s over",
    goal="core points by the bell: {count}",
    sure="sure",
    not_sure="not sure",
    answer_here="Type the answer, or say it aloud",
    summary_here="The clock stands. Summarise what you said, or leave it empty and tick",
    spoken="said aloud",
    tick_heading="What did you say? Untick what you did not mean; tick what was not heard.",
    counted="{role}{colon}{share}",
    proof_how="Run the demo {demo} here, show its record, or go on without a proof.",
    running="running",
    written="Written: {paths}",
    nothing_to_study="there is nothing to study from this interview",
    unreadable="written by a newer quizapp",
)

CHINESE = Wording(
    lang=Lang.ZH,
    colon="：",
    semicolon="；",
    stop="。",
    title="模拟面试",
    of_day="{day}",
    in_progress="这场面试还没有结束。",
    ended_early="应你的要求提前结束；没问到的部分不占比重。",
    dropped="结束时还有 {count} 题没有作答，不计分。",
    total="总分",
    roles={Role.MAIN: "主问题", Role.FOLLOW_UP: "追问", Role.CALCULATION: "手算"},
    one_role={Role.MAIN: "主问题", Role.FOLLOW_UP: "追问", Role.CALCULATION: "手算"},
    nothing_asked="没有问到",
    questions="共 {count} 题，用时 {time}",
    how_counted=(
        "主问题占 60 %，按响铃时说到了多少核心要点计；追问占 25 %，手算占 15 %。"
        "没问到的部分不占比重。"
    ),
    point="要点",
    said={
        Said.SAID: "说到了",
        Said.PARTLY: "说了一部分",
        Said.MISSED: "没说到",
        Said.CONTRADICTED: "说反了",
    },
    your_words="你的原话",
    cards_line="卡片上的说法",
    core="核心",
    reasons={
        Reason.MISSED: "没说到",
        Reason.PARTLY: "只说了一部分",
        Reason.LATE: "响铃之后才说到",
        Reason.HINTED: "看了提示才说到，算一半",
        Reason.CONTRADICTED: "说了与它矛盾的话",
        Reason.FALSE: "说了错误的话",
        Reason.SKIPPED: "跳过",
        Reason.GAVE_UP: "没有作答",
        Reason.CALCULATION: "数算得不对",
    },
    lost="−{percent} %",
    nothing_lost="没有扣分",
    false="你说了一句错误的话",
    sure_but_wrong="你答时说有把握，实际说到的不到一半。",
    why_chosen="问这一题，是因为它所考的内容有 {percent} % 还没说到",
    chosen_false="关于它说过错误的话",
    chosen_last="上次也没答好",
    your_answer="你的回答",
    no_answer="（没有写下来）",
    model_answer="参考回答",
    manners={
        Manner.TYPED: "键入",
        Manner.SPOKEN: "口述",
        Manner.SUMMARISED: "口述后写了摘要",
        Manner.TRANSCRIBED: "口述转写",
        Manner.GAVE_UP: "没有作答",
    },
    time="用时 {seconds} 秒，限时 {limit} 秒",
    overtime="超时 {seconds} 秒",
    in_time="没有超时",
    first_word="{seconds} 秒后开口",
    pace="每分钟 {words} 字",
    fillers="口头语 {count} 处",
    hints="看了 {count} 次提示",
    asked_again={
        Why.VAGUE: "能说得再具体些吗？到底是什么，为什么？",
        Why.UNREAD: "请给一个数：算出来是多少，单位是什么？",
    },
    verdicts={
        Verdict.RIGHT: "正确",
        Verdict.NEAR: "方法正确，数字略有出入",
        Verdict.MAGNITUDE: "只有数量级正确",
        Verdict.SHIFTED: "数字对了，差了若干个数量级",
        Verdict.SLIP: "典型的算错",
        Verdict.WRONG: "错误",
        Verdict.UNREAD: "没有读到数字",
    },
    right_answer="正确答案",
    proof="“请证明”",
    proof_skipped="跳过了，不扣分",
    proof_verdicts={
        "proved": "得到证实",
        "refuted": "被推翻",
        "undecided": "无法定论",
        "not-measurable": "无法测量",
        "not-measurable-here": "在这台机器上无法测量",
        "broken": "这次运行作废",
    },
    earlier="与最近几场相比",
    earlier_column=("日期", "总分", "主问题", "追问", "手算"),
    now="本场",
    study="接下来学什么",
    study_nothing="没有：每一题都答得不错。",
    levels={Level.JUNIOR: "初级", Level.MID: "中级", Level.SENIOR: "高级"},
    styles={Style.PRACTICE: "练习", Style.LIVE: "实战"},
    languages={
        Languages.EN: "英文",
        Languages.ZH: "中文",
        Languages.EN_ZH: "英文提问，中文作答",
        Languages.ZH_EN: "中文提问，英文作答",
    },
    setup="{level} · {style} · {languages} · 种子 {seed}",
    seconds="{seconds} 秒",
    vague="再问一次",
    hint="提示",
    no_hint="没有可提示的了",
    prove_it="请证明这一点。",
    paused="已暂停，不计时。",
    ticks_later="记下了。最后再对要点。",
    plain_answer=(
        "键入回答，以空行结束；如果是口头说的，说完直接按回车。"
        "/hint 提示，/skip 跳过，/idk 答不出，/sure 有把握，"
        "/pause 暂停，/end 不再提问，/quit 离开。"
    ),
    plain_tick="输入序号勾选或取消，回车继续，q 离开 > ",
    plain_false="卡片认为这句话是错的；如果你确实说了，输入 f{number}",
    plain_prove="d 在这台机器上运行演示 {demo}，r 查看记录，回车跳过，q 离开 > ",
    plain_pause="回车继续，q 离开 > ",
    plain_go_on="回车继续 > ",
    plain_left="什么都没有丢；用 `quizapp mock resume --plain` 接着面试。",
    plain_over="面试结束。再看报告：`quizapp mock report {id}`",
    unknown="没有 {reply} 这个选项",
    demo_failed="演示没有得出结果{colon}{message}",
    no_record="没有 {demo} 的记录",
    choose_decks="题组",
    all_decks="全部",
    choose_length="主问题数",
    choose_languages="语言",
    choose_level="级别",
    level_notes={
        Level.JUNIOR: "时间多一半，每题一个追问，不要求证明",
        Level.MID: "每题两个追问，一次“请证明”",
        Level.SENIOR: "每题两个追问，凡能用演示测量的都要求证明",
    },
    choose_style="方式",
    style_notes={
        Style.PRACTICE: "每答一题就看参考回答、对要点",
        Style.LIVE: "与真实面试一样，最后才看参考回答、对要点",
    },
    choose_seconds="响铃前的秒数",
    choose_count="算作复习",
    yes="是",
    no="否",
    how_to_choose="↑ ↓ 选择，← → 更改，回车开始",
    past="以前的面试",
    no_past="还没有",
    not_over="没有结束：回车接着面试",
    time_left="还剩 {seconds} 秒",
    time_over="时间到，超时 {seconds} 秒",
    goal="响铃前要说到的核心要点：{count} 个",
    sure="有把握",
    not_sure="没把握",
    answer_here="键入回答，或口头说出来",
    summary_here="已停表。写下所说内容的摘要，或空着直接对要点",
    spoken="口述",
    tick_heading="你说到了哪些？没有那个意思的取消勾选，没听出来的补勾。",
    counted="{role}{colon}{share}",
    proof_how="在这台机器上运行演示 {demo}、看它的记录，或不做证明直接继续。",
    running="运行中",
    written="已写入：{paths}",
    nothing_to_study="这场面试没有需要补学的内容",
    unreadable="由更新版本的 quizapp 写成",
)


@cache
def wording(lang: Lang) -> Wording:
    """Return the words of a language."""
    return {Lang.EN: ENGLISH, Lang.ZH: CHINESE}[lang]
