"""What dictation makes of the field's words, and what was meant."""

from __future__ import annotations

_HEARD = {
    "triton": "tri ton|try ton|tryton|trident kernel|tritan|try tun|tri tan|treaton",
    "cutlass": "cute lass|cut lass|cutless|cut less|cute less|cute las|cutlas|cut glass|cutlist",
    "cublas": "cube laws|cube lass|cube less|cu blas|cu blass|q blas|cue blas|cue blast|kublas|"
    "cube last|coo blas|koo blas|cu blast|cublass|cublaslt|cublas lt|cube loss|que blas",
    "cudnn": "cu dnn|cuda nn|cue dnn|q dnn",
    "cuda": "kuda|cooda|couda|barracuda|coulda kernel",
    "epilogue": "epi log|epi logue|epilog|ampilog|epi lock|eppy log|apilogue|epilogues|epi lo",
    "prologue": "pro log|prolog",
    "occupancy": "occupant see|occupants he|accupancy|ocupancy|occupency|occupancies|occu pancy",
    "kernel": "colonel|kernal|curnel|colonial kernel",
    "kernels": "colonels|kernals|curnels",
    "gemm": "big gem|gem|gems|gemms|jem|g e m m",
    "matmul": "mat mul|mat mull|matmull|mat mole|mat mall|matt mul|math mul|mad mul|mat muls|"
    "matrix multiply|matrix multiplication|matrix multiplications|matrix multiplies|"
    "matrix product|matrix matrix multiply",
    "flops": "flop s|flaps count|f l o p s|f lops|flopps|floating point operations|"
    "floating point ops|floating point operation|flop count|flop counts",
    "torch compile": "torch dot compile|torch 点 compile|torch点compile|torch compiled|"
    "torched compile|porch compile|torch com pile|touch compile",
    "inductor": "in doctor|induct or|torch inductor|torchinductor|in ductor",
    "pytorch": "pie torch|pi torch|py torch",
    "hbm": "hbm2|hbm3|hbm2e|hbm3e|h bm|hb m|hpm",
    "vram": "v ram|vee ram",
    "dram": "d ram|dee ram|gddr",
    "smem": "s mem|ess mem|shmem|sram",
    "gelu": "gel you|jell you|gellu",
    "relu": "re lu|rel you|ray lou",
    "softmax": "soft max",
    "layernorm": "layer norm|layer normalization|layer normalisation",
    "rmsnorm": "rms norm|r m s norm",
    "elementwise": "element wise|element wide|elementwide|elements wise|elemental wise",
    "pointwise": "point wise|points wise",
    "memory bound": "memory bounds|memory bond|memory bounded|mem bound|memorybound|membound",
    "bandwidth": "band width|bandwith|band with",
    "nsight": "n sight",
    "nsight systems": "insight systems|in sight systems|n sight systems|nsys",
    "nsight compute": "insight compute|in sight compute|n sight compute|ncu",
    "amdahl": "am doll|amdal|omdahl|ahmdahl|amdhal|amdall|amdoll|umdahl|amdahls",
    "bit identical": "bitidentical|bit wise identical|bitwise identical|bid identical|"
    "bit identically|bitwise equal|bit exact|bitexact|bitwise exact",
    "bitwise": "bit wise",
    "flashvector": "flash vector|flash factor|flashfactor",
    "flashattention": "flash attention|flash attn",
    "embedding bag": "embeddingbag|embedding back|embedded bag|imbedding bag|embed bag",
    "cuda graph": "cuda graf|cudagraph|cuda graphs|cudagraphs|kuda graph|cuda graphics",
    "megakernel": "mega kernel|mega kernels|megakernels",
    "doesn't": "doesnt|does'nt|dosent",
    "don't": "dont|do'nt",
    "didn't": "didnt",
    "isn't": "isnt",
    "aren't": "arent",
    "wasn't": "wasnt",
    "won't": "wont",
    "can't": "cant|can not|cannot",
    "couldn't": "couldnt",
    "shouldn't": "shouldnt",
    "wouldn't": "wouldnt",
    "hasn't": "hasnt",
    "haven't": "havent",
    "that's": "thats",
    "it's": "its just|its only",
    "launch": "lunch",
    "launches": "lunches",
    "spill": "spell to local|spill over",
}
"""Written or meant → heard, alternatives parted by bars, all in lower case."""

SLIPS: dict[str, str] = {
    heard: meant for meant, alternatives in _HEARD.items() for heard in alternatives.split("|")
} | {
    "its just": "it's just",
    "its only": "it's only",
    "big gem": "big gemm",
    "big gems": "big gemm",
    "spell to local": "spill to local",
    "trident kernel": "triton kernel",
}
"""Heard → meant."""
