"""The field's concepts and the ways people name them, in both languages.

Cards say ``@hbm`` and mean any of these.  Forms are in the one spelling of
:mod:`~quizapp.recall.normalise`: lower case, simplified characters, no hyphens.
"""

from __future__ import annotations

import re
from functools import cache

from quizapp.recall.normalise import normalise_term

_FORMS = {
    "fusion": "fuse|fused|fusing|fusion|fuses|merge|merged|merging|combine|combined|glue|"
    "one kernel|single kernel|融合|合并|合成|融成|拼成一个|捏成一个|并成一个",
    "intermediate": "intermediate|intermediates|intermediate result|intermediate results|"
    "temporary|temporaries|temp|temps|partial result|partial results|in between result|"
    "in between results|results in between|output of one|中间结果|中间值|中间数据|中间变量|"
    "中间张量|临时结果|中间的结果",
    "on-chip": "on chip|register|registers|register file|shared memory|smem|sram|stay local|"
    "片上|寄存器|共享内存|共享存储|芯片上|芯片里",
    "register": "register|registers|register file|寄存器",
    "shared-memory": "shared memory|smem|sram|scratchpad|共享内存|共享存储|片上内存",
    "hbm": "hbm|dram|vram|global memory|device memory|gpu memory|main memory|off chip|memory|"
    "显存|全局内存|全域记忆体|内存|存储器|主存",
    "launch": "launch|launches|launching|kernel call|kernel calls|dispatch|dispatches|启动|发射|"
    "调用次数|launch 次数|启动次数",
    "flops": "flops|flop|arithmetic|math|computation|compute|amount of work|operations|"
    "multiplies|calculations|计算量|运算量|浮点运算|计算次数|运算次数|算的东西|计算",
    "traffic": "traffic|bytes|bandwidth|reads and writes|reads|loads and stores|round trip|"
    "round trips|memory access|memory accesses|passes|data movement|访存|访存量|带宽|读写|搬运|"
    "流量|数据搬运|来回",
    "memory-bound": "memory bound|bandwidth bound|bandwidth limited|memory limited|"
    "low arithmetic intensity|访存受限|带宽受限|访存密集|内存受限|访存瓶颈|带宽瓶颈",
    "elementwise": "elementwise|pointwise|element by element|add|relu|gelu|activation|逐元素|"
    "逐点|element 级|按元素",
    "reduction": "reduction|reductions|reduce|softmax|layernorm|rmsnorm|norm|sum over|归约|规约|"
    "求和",
    "epilogue": "epilogue|tail of the matmul|tail of the gemm|after the matmul|尾部|收尾|尾声",
    "bias-activation": "bias|activation|relu|gelu|偏置|激活",
    "matmul": "matmul|gemm|gemms|big gemm|matrix|矩阵乘|矩阵乘法|大矩阵",
    "vendor-library": "cublas|cudnn|vendor library|vendor|tuned library|library|nvidia's kernel|"
    "厂商库|官方库|调优过的库|库函数|库",
    "occupancy": "occupancy|warps|resident|占用率|占有率|驻留",
    "occupancy-down": "occupancy drops|occupancy goes down|lower occupancy|low occupancy|"
    "occupancy falls|occupancy down|hurts occupancy|kills occupancy|reduces occupancy|"
    "less occupancy|fewer warps|few warps|not enough warps|fewer blocks|占用率下降|占用率降低|"
    "占用率变低|占用率掉|占用率低|占用率就掉|warp 变少|并发变少|驻留的 warp 少",
    "spill": "spill|spills|spilling|spilled|local memory|溢出|spill 到",
    "torch-compile": "torch compile|inductor|xla|jit|tvm|graph compiler|compiler|编译器",
    "triton": "triton",
    "cuda": "cuda",
    "cutlass": "cutlass|cublaslt|vendor epilogue",
    "bit-identical": "bit identical|bitwise|same bits|bit for bit|exactly the same|"
    "exactly equal|逐位|逐比特|完全一样|一模一样|位级一致|按位一致",
    "profile": "profile|profiling|profiler|nsight|trace|measure first|先测|性能分析|剖析|"
    "看 timeline",
    "cuda-graph": "cuda graph|graph capture|graph replay|graph",
    "amdahl": "amdahl|share of the time|fraction of the time|阿姆达尔|占比",
    "end-to-end": "end to end|latency|whole service|service|serving|forward|online|端到端|整体|"
    "线上|延迟",
    "same": "same|unchanged|does not change|doesn't change|stays|identical|equal|constant|"
    "not fewer|no fewer|no change|不变|一样|没变|没有变|没少|不减少|相同",
    "less": "less|fewer|lower|reduce|reduces|reduced|cut|cuts|save|saves|saved|drop|drops|down|"
    "shrinks|减少|更少|变少|省|降低|下降|降",
    "not-written": "not written|never written|never leave|never leaves|doesn't go|don't go|"
    "no longer|without going|instead of going|skip|skips|avoid|avoids|no round trip|stay|stays|"
    "kept|keep|live|lives|不写|不用写|不再|不落|留在|不经过|不过|省掉|避免",
    "slow": "slow|slower|slows|worse|backfire|backfires|hurt|hurts|loses|lose|regress|变慢|更慢|"
    "反而|慢|适得其反",
    "opaque": "opaque|custom op|black box|extern|can't see|cannot see|不透明|黑盒|看不到|"
    "自定义算子",
    "order": "order|summation order|reorder|reassociate|顺序|次序",
}

CONCEPTS: frozenset[str] = frozenset(_FORMS)
"""The names that cards may use after ``@``."""


@cache
def pattern(term: str) -> re.Pattern[str]:
    """Return what finds a term of a card in normalised text: ``@concept``, or a wording."""
    if term.startswith("@"):
        forms = _FORMS.get(term[1:])
        if forms is None:
            raise ValueError(f"there is no concept {term} in the lexicon")
        return _any_of(forms.split("|"))
    return _any_of([term])


def _any_of(forms: list[str]) -> re.Pattern[str]:
    known = sorted({normalise_term(form) for form in forms}, key=len, reverse=True)
    return re.compile("|".join(_bounded(form) for form in known))


def _bounded(form: str) -> str:
    """A Latin word is found as a word; Chinese has no blanks to find words by."""
    start = r"(?<![a-z0-9])" if form[:1].isascii() else ""
    end = r"(?![a-z0-9])" if form[-1:].isascii() else ""
    return f"{start}{re.escape(form)}{end}"
