"""What people say about anything: direction, negation, staying and leaving, good and bad.

Forms are parted by bars, in both languages; inflection, hyphens, width and traditional
characters need no forms of their own.
"""

from __future__ import annotations

NOT = "not"
WRONG = "wrong"

EVERYDAY: dict[str, str] = {
    NOT: "not|no|never|without|nothing|none|nobody|neither|nor|don't|doesn't|didn't|isn't|aren't|"
    "wasn't|weren't|won't|wouldn't|can't|cannot|couldn't|shouldn't|hasn't|haven't|no longer|"
    "no need to|need not|needn't|any more|instead of|rather than|hardly|barely|far from|"
    "skip|avoid|bypass|stop|stopped|cease|eliminate|remove|get rid of|gets rid of|do away with|does away with|省掉|省去|消除|去掉|不|没|没有|无|避免|跳过|绕过|无需|无须|不用|不必|不需要|不再|不会|不是|并不|并没有|并非|别|勿|未|免去|免|"
    "用不着|不要|毫不|毫无|从不|从未|绝不|决不|而不|而非",
    WRONG: "wrong|not true|untrue|incorrect|false|misconception|myth|mistake|mistaken|"
    "misunderstand|misunderstanding|not the case|you'd think|you would think|you might think|"
    "people think|many think|contrary to|common belief|but no|不对|不是这样|错|错误|误解|误区|"
    "误以为|以为|搞错|弄错|说错|并不是这样|不正确|谣言|其实不然|不然",
    "plain": "not only|not just|not merely|no matter|no doubt|no wonder|no problem|not to mention|"
    "without doubt|doesn't matter|why not|not sure|don't know|don't remember|not really sure|"
    "no idea|not necessarily|"
    "不过|不仅|不但|不光|不管|不论|无论|不只是|差不多|不错|不好说|不知道|不清楚|不记得|是不是|"
    "能不能|会不会|有没有|要不要|不得不|没关系|没问题|免费|只不过|不一定|要不然|不如|无非|"
    "忍不住|了不起|对不起|不好意思|来不及|不愧|不断|别的|别人|特别|区别|级别|分别|个别|类别|识别|"
    "未来|无限|同样是|少年|一般|如果不",
    "same": "same|unchanged|constant|identical|equal|equivalent|as much|just as much|as many|"
    "just as many|intact|fixed|unaltered|untouched|unaffected|preserve|preserved|stay put|still there|all there|all still there|都还在|还都在|一个没少|"
    "不变|不改|一样|一样多|一样不少|一点不少|一个不少|一点没少|一点没省|没变|没有变|没少|没动|没改|"
    "同样|相同|照旧|照样|原样|恒定|一致|固定|还是那么多|还是这么多|那么多|保持|一模一样|一分不少",
    "different": "different|approximate|approximately|only close|roughly equal|近似|近似相等|只能近似|differ|difference|discrepancy|deviate|deviation|mismatch|diverge|"
    "drift|off by|not the same|不同|不一样|不一致|差异|偏差|误差|出入|有差|对不上|差一点|差别|"
    "不相等|有点差|不完全一样|不完全相同",
    "less": "less|fewer|fewest|very few|far fewer|many fewer|least|lower|reduce|reduction in|cut|cut down|save|saving|drop|"
    "decrease|shrink|shrunk|shrank|go down|goes down|going down|went down|gone down|come down|"
    "comes down|came down|bring down|brings down|fall|fell|fallen|lighten|ease|relieve|trim|"
    "shave|slash|halve|smaller|minimise|minimize|quieter|cheaper|drive less|eliminate|remove|collapse|plummet|vanish|disappear|evaporate|go away|goes away|dwindle|cut back|"
    "get rid of|gets rid of|got rid of|do away with|does away with|spare|relief|"
    "减少|少|更少|变少|少了|省|省下|省掉|省去|节省|节约|降低|下降|降|降了|变低|变小|减小|缩减|缩小|"
    "减轻|削减|砍掉|砍|压低|掉下来|降下来|下来了|往下掉|小很多|少很多|少得多|去掉|干掉|消除|消掉|"
    "精简|小了|低了|轻了|优化掉",
    "more": "more|higher|increase|raise|rise|rose|go up|goes up|going up|went up|grow|grew|grown|"
    "improve|boost|greater|larger|bigger|extra|additional|better|grows|增加|增大|变多|更多|更高|"
    "提高|提升|升高|变大|变高|多了|上升|上涨|加大|高了|涨",
    "change": "change|alter|touch|affect|influence|modify|vary|shift|shuffle|reorder|rearrange|"
    "reassociate|rearranged|swap|改变|变化|变了|变|改|改了|动了|影响|打乱|调换|换了|变的|重排|调整",
    "write": "exist in|appear in|show up in|write|wrote|written|writeback|write back|store|stored|save to|dump|put back|flush|"
    "materialise|materialize|materialisation|materialization|spit out|commit to|land in|"
    "写|写回|写到|写出|写入|写进|存|存回|存到|落|落地|落到|落盘|放回|回写|开空间|物化|写下去",
    "read": "read|load|loaded|fetch|reload|pull in from|read back|pick up|take out|"
    "读|读入|读取|读回|读进来|加载|取|取出|取回|拿出来|再读|载入|读出",
    "leave": "leave|left|go out|goes out|going out|go back|goes back|going back|went out|come back|"
    "return to|returns to|send back|sent back|send|sent|travel|make the trip|visit|hit|touch|bounce|spill out|escape|exit|"
    "go through|goes through|pass through|take a trip|"
    "出去|离开|回到|回去|流出|走|经过|进出|出片|跑到|跑回|绕|绕一圈|过一遍|回写到|出芯片|回",
    "stay": "stay|keep|kept|remain|live|hold|held|reside|sit|retain|local|in place|"
    "stay put|cached|on hand|resident|hang around|linger|"
    "留|留在|留着|停留|停留在|保留|保存在|放在|放到|待在|呆在|存在|存放在|保持在|就地|攥|攥着|搁|搁在|驻留|"
    "一直在|缓存在|握在|揣|都在",
    "pass": "pass|hand|handed|hand over|handed over|feed|fed|forward to|flow|chain through|consume|"
    "transfer|give to|straight into|directly into|传|传递|传给|传下去|传过去|交给下一|喂给|直接给|接着用|"
    "接着算|下一步用|直接用",
    "move": "move|moving|movement|haul|shuttle|ship|copy|ferry|transport|shovel|drag|"
    "carry|walk|driving|搬|搬运|搬来搬去|来回搬|倒腾|挪|运|转运|拷贝|拷来拷去|折腾|跑来跑去|移动|跑腿",
    "trip": "round trip|roundtrip|trip|there and back|back and forth|in and out|journey|visit|"
    "detour|hop|run to|来回|往返|进进出出|进出|一趟|跑一趟|趟|绕路|绕一圈|来来回回",
    "instead": "instead|instead of|rather than|in place of|而不是|而非|代替|取代|不是",
    "only": "only|just|merely|solely|nothing but|nothing more than|simply|all it does|purely|"
    "只|只是|仅|仅仅|光|就是|无非|只有|只管|单单|只能|只不过",
    "also": "also|too|as well|both|in addition|on top|additionally|还|也|同时|都|连|既",
    "still": "still|nonetheless|anyway|all the same|continue|continues|as before|"
    "仍|仍然|还是|依旧|依然|照样|照旧|一样要|还要|还得|照常|该",
    "each": "each|every|per|all of them|individual|separate|one by one|respective|每|每个|每一个|"
    "各|各自|每次|每一步|每步|逐个|分开|单独|一个个",
    "all": "everything|all|anything|any|whatever|whole|entire|every single|全部|所有|什么都|一切|"
    "全都|任何|全|统统|啥都",
    "always": "always|always faster|definitely|guaranteed|certainly|invariably|every time|"
    "no matter what|under any circumstances|in all cases|by definition|regardless|unconditionally|"
    "free lunch|no downside|no drawback|no cost|no disadvantage|pure win|can't hurt|never hurts|no reason not to|never worse|at least as fast|nothing to lose|"
    "never slower|never get slower|never gets slower|never backfire|strictly better|no harm|"
    "一定|肯定|必然|总是|永远|绝对|无论如何|怎么都|百利无一害|有利无害|没坏处|没有坏处|没有什么坏处|"
    "没有缺点|没缺点|没有副作用|没有任何坏处|没什么坏处|越多越好|越大越好|能融就融|只会更快|从来不会|只赚不赔|稳赚|没有理由不|没理由不|不会更慢|不会变慢|总会|总能",
    "regardless": "regardless|no matter|whatever|whichever|however you|any order|in any case|"
    "不管|无论|随便|怎么|任意|不论|不管怎么|随便怎么",
    "good": "good|fine for|okay for|ok for|safe to|safe for|放心|great|ideal|perfect|best|suit|suited|suitable|fit|fits|useful|"
    "worth|worthwhile|worth it|pay off|pays off|paid off|benefit|profit|candidate|sweet spot|"
    "shine|works well|work well|works best|work best|win|gain|help|helps|apply to|use it on|"
    "use it for|use fusion for|target|targets|makes sense|make sense|the best case|best case|go for|"
    "natural|excel|sensible|aimed at|meant for|recommended|"
    "适合|适用|合适|值得|划算|收益|最好|好用|有用|受益|有效|用在|用于|针对|最赚|优先|首选|效果好|"
    "好处|赚|挑|对付|主要是对|优势|擅长|适宜|理想|推荐|甜点|吃到红利|最香|香",
    "bad": "slow|slower|stall|stalls|bad|worse|worst|backfire|hurt|hurts|lose|loses|losing|lost|regress|harm|"
    "drawback|downside|disadvantage|pitfall|problem|trouble|suffer|penalty|bite|bites you|"
    "counterproductive|wrong choice|not worth|risk|danger|careful|beware|avoid|limit|"
    "fail|blow up|blows up|blew up|go wrong|goes wrong|kill|kills|tank|tanks|stops being worth|"
    "变慢|慢|更慢|反而|坏处|缺点|适得其反|不划算|得不偿失|吃亏|亏|亏了|不好|糟|代价|风险|变差|掉速|"
    "负优化|不适合|不值得|不值|不行|翻车|拖慢|拖累|问题|反效果|问题在于|小心|避免|有害|倒退|白搭|坑",
    "lose": "lose|loses|losing|lost|give up|gives up|giving up|gave up|forgo|sacrifice|throw away|"
    "throws away|abandon|miss out|drop out of|replace|forfeit|discard|lacks|"
    "丢|丢掉|丢了|失去|放弃|没法用|用不了|用不上|不能用|无法用|牺牲|错过|换掉|替换|享受不到|没了|白白扔",
    "beat": "beat|outperform|match|compete|hard to match|hard to beat|outdo|as good as|as fast as|"
    "catch up|better than|faster than|rival|打不过|比不过|不如|比不上|赶不上|干不过|拼不过|更快|"
    "跑不过|追不上|打得过|比得过|比得上|赢不了",
    "too-many": "too many|too much|so many|so much|lots of|a lot of|many|"
    "excessive|excess|huge|heavy|hog|hogs|eat|eats|eaten|eat up|gobble|pile|fat|overly|blow|bloated|"
    "overuse|exceed|more than|big|large|greedy|demand|"
    "太多|过多|太大|过大|太高|过高|很多|一大堆|吃太多|占太多|用太多|用多了|太重|太胖|太肥|过度|超|"
    "超过|太狠|吃紧|多了|一堆|占得多|用得多|用的多|吃得多|不够|太满|爆|爆了|爆掉|很大|大了|高了|很高",
    "run-out": "run out|runs out|ran out|exhaust|exhausted|shortage|short of|not enough|insufficient|"
    "use up|uses up|used up|exceed|scarce|starve|starved of|不够|用完|耗尽|用光|不足|装不下|放不下|"
    "塞不下|撑爆|爆|爆了|吃光|占满|溢",
    "pressure": "pressure|usage|use|consumption|footprint|demand|压力|用量|占用|消耗|开销",
    "high": "high|higher|big|large|heavy|rise|raise|increase|grow|up|too|much|more|大|高|重|上去|"
    "上升|增加|增大|上来|过大|太大",
    "first": "first|before anything|start with|start by|begin|step one|to begin|upfront|"
    "先|首先|第一步|一开始|最先",
    "adjacent": "adjacent|side by side|next to one another|挨在一起|靠在一起|紧邻|贴着|neighbour|neighbor|neighbouring|neighboring|next to each other|"
    "back to back|consecutive|successive|in a row|chain|sequence|run of|series|contiguous|"
    "one after another|one after the other|right after each other|following each other|"
    "producer consumer|producer and consumer|producer|feeds the next|feed into|in sequence|"
    "string of|streak|directly after|pipeline of|cluster of|stretch|output is the next|"
    "相邻|挨着|连续|紧挨|一串|一连串|前后相接|首尾相连|首尾相接|一个接一个|前后|邻近|连在一起|接连|"
    "上下游|紧接|依次|生产者消费者|连着|串在一起|一前一后|相接|链",
    "part": "part|share|fraction|portion|slice|piece|percentage of|proportion|fragment|one piece|"
    "one component|small bit|just one step|subset|一部分|部分|占比|比例|一小块|一块|一环|一段|"
    "只占|占|一小部分|局部|其中",
    "whole": "total|whole|overall|end to end|entire|full|everything|request|service|whole model|"
    "whole thing|pipeline|all the time|runtime|总|总时间|整体|整个|全部|端到端|全局|服务|整条|总耗时|全程",
    "other": "other|others|rest|remaining|remainder|else|elsewhere|cpu side|host|network|"
    "其他|其它|其余|剩下|剩余|别的|另外的|另外那些|还有别的",
    "see": "see|look inside|look into|peek|inspect|know|understand|analyse|analyze|access the source|"
    "see through|visible|introspect|trace through|trace into|reason about|"
    "看到|看见|看得到|看进|知道|了解|分析|看穿|看懂|看进去|知晓|理解|拿到源码|看清",
    "data": "data|value|values|tensor|tensors|result|results|output|outputs|accumulator|element|"
    "数据|数值|值|张量|结果|输出|累加器|那点数据",
    "between": "between|in between|middle|halfway|mid|之间|中间|中途|两步之间|当中",
    "once": "once|one time|1 time|single time|single pass|1 pass|一次|一遍|一趟|1次|1遍|1趟|各一次|各1次",
    "merge": "fuse|merge|combine|glue|join|collapse|squash|squeeze|roll into|boil down|boiled down|"
    "lump|smush|bundle|stitch|pack|put together|into 1|to 1|down to 1|single|bring together|unite|"
    "turn into 1|consolidate|weld|"
    "融|融合|融成|融到|合|合并|合成|合到|拼|拼成|拼一起|并|并成|捏|捏成|揉|揉成|缩成|变成|塞进|整合|"
    "放到一个|放在一个|做成一个|打包成|黏|粘|融进|融进来|拉进来|放进来|包进来|合为",
    "put-into": "put|fold|append|attach|stick|sticking|tack|hang|hook|add to|push into|absorb|insert|"
    "place|tuck|slot|piggyback|do right there|apply|applied|embed|inline|swallow|pull|drag in|"
    "pulled in|bring in|放|放进|放到|塞|塞进|挂|挂在|接在|接到|加在|加到|并入|揉进|顺手|顺便|跟在|拼到|"
    "拼在|做掉|带上|捎带|套|搬进|吞|拉",
    "after": "after|end of|tail|at the end|on its way out|before writing|before it is written|"
    "before storing|before the store|on top of|right after|output of|follow|following|last step|"
    "之后|后面|尾|尾巴|尾部|末尾|写出之前|写回之前|写出前|收尾|最后|输出前|写出去之前|写之前|后处理|尾处理|屁股",
    "belief": "everyone says|people say|some say|they say|i heard|commonly said|网上说|有人说|都说|据说|常说",
    "speedup": "faster|speedup|speed up|sped up|quicker|fast|acceleration|accelerate|times|x|fold|"
    "improvement|gain|sooner|快|更快|提速|加速|倍|加速比|提升|提了|变快",
    "half-done": "half done|half finished|half cooked|unfinished|work in progress|semi finished|"
    "partly done|partially done|in progress|half ready|半成品|做了一半|没做完|在制品|半道|半截",
    "far-place": "fridge|refrigerator|freezer|warehouse|depot|archive|basement|storage room|storeroom|"
    "cupboard|pantry|shelf|filing cabinet|attic|garage|cellar|library shelf|post office|garden shed|"
    "locker|vault|bank|closet|back room|storehouse|office downstairs|truck|"
    "冰箱|仓库|入库|出库|库房|柜子|地下室|货架|抽屉|档案室|书架|储藏室|车库|后厨|图书馆|库存|"
    "货仓|银行|快递柜|寄存处",
    "near-place": "counter|desk|workbench|bench|table|van|hand|hands|cutting board|pocket|lap|"
    "kitchen counter|worktop|station|tray|same cook|same worker|one worker|one clerk|1 clerk|1 worker|"
    "案板|工位|桌|桌上|手|手里|手边|灶台|台面|台子|砧板|口袋|面前|手上|工作台|锅里|车上|托盘",
    "effort": "work|cooking|chopping|labour|labor|effort|cut as many|handle|handles|handled|job|jobs|"
    "steps|amount of work|work to do|活|活儿|工作量|刀|刀数|手艺|干的活|该算的|该做的|要干的",
}
"""Concept → its forms."""

OPPOSITE: dict[str, str] = {
    "less": "same",
    "more": "same",
    "change": "same",
    "same": "different",
    "different": "same",
    "leave": "stay",
    "stay": "leave",
    "write": "unwritten",
    "read": "unwritten",
    "move": "unwritten",
    "trip": "unwritten",
    "pass": "leave",
    "good": "bad",
    "bad": "good",
    "see": "opaque",
    "beat": "bad",
    "need": "unneeded",
    "merge": "unmerged",
    "fusion": "unmerged",
    "too-many": "few",
    "profile": "unprofiled",
    "bit-identical": "different",
    "opaque": "see",
    "always": "sometimes",
    "spill": "unspilled",
    "order": "order",
    "put-into": "unmerged",
}
"""What a negated concept says."""

DIRECTIONS: frozenset[str] = frozenset(OPPOSITE) - {"order", "fusion", "profile"} | {
    "unwritten",
    "unneeded",
    "only",
    "still",
    "all",
    "regardless",
    "unmerged",
    "few",
    "sometimes",
}
"""Concepts of which two statements must not say different things to be alike."""
