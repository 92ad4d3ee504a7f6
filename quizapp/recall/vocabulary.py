"""The field's own words, in English, Chinese and what is said between them."""

from __future__ import annotations

QUANTITIES: frozenset[str] = frozenset(
    "flops traffic launch occupancy register shared-memory warp effort"
    " kernel-time end-to-end order precision".split()
)
"""Concepts that can be less, more or the same."""

VOCABULARY: dict[str, str] = {
    # What is done
    "fusion": "fuse|fusion|fused kernel|kernel fusion|operator fusion|op fusion|merge kernels|"
    "one kernel|1 kernel|single kernel|1个 kernel|megakernel|融|融合|核融合|算子融合|融合后|融在一起|"
    "合并|合在一起|拼一起|1个核|合成1个",
    "unmerged": "unfused|eager|separate kernels|several kernels|without fusion|before fusion|"
    "if you don't fuse|not fused|kernel by kernel|op by op|one op at a time|eager mode|"
    "不融合|没融合|未融合|融合前|分开|不融|分开跑|分开写|拆开",
    "op": "op|ops|operator|operators|kernel|kernels|layer|layers|step|stage|node|function|"
    "算子|核|核函数|内核|操作|步|步骤|层|节点",
    "kernel": "kernel|kernels|核函数|核|内核|算子",
    "small-op": "small op|small kernel|tiny kernel|tiny op|little op|short kernel|small operation|"
    "tiny operation|light op|lightweight op|cheap op|trivial op|cheap math|ops are tiny|"
    "ops are small|little kernel|little ones|tiny|small ones|small|little|cheap|lightweight|"
    "小算子|小 kernel|小 op|小核|小核函数|小操作|零碎|细碎|碎|轻量|便宜",
    "elementwise": "elementwise|pointwise|element by element|per element|add|mul|relu|gelu|silu|"
    "swish|sigmoid|tanh|dropout|residual|activation|activations|scale|cast|mask|exp|simple math|"
    "residual add|bias|逐元素|逐点|逐点类|element 级|按元素|逐个元素|激活函数|激活|残差|加法|标量",
    "reduction": "reduction|reduction ops|reduce op|softmax|layernorm|rmsnorm|batchnorm|norm|norms|"
    "normalisation|normalization|sum over|row sum|mean|variance|argmax|归约|规约|归一化|求和|"
    "聚合|归约类|求均值|池化",
    "chain": "chain|chains|sequence|string of ops|series of ops|pipeline|一串|链|串|链条|一连串|算子链",
    "intermediate": "intermediate|intermediates|intermediary|intermediary result|intermediary results|intermediate result|intermediate results|"
    "intermediate value|intermediate values|intermediate tensor|intermediate tensors|"
    "intermediate data|temporary|temporaries|temporary value|temporary values|temp|temps|temporary tensor|"
    "temporary buffer|scratch value|scratch values|scratch|partial result|partial results|"
    "in between result|in between results|in between tensor|in between tensors|in between value|"
    "results in between|result in between|results between|stuff in the middle|tensor in the middle|"
    "output of one|output of each|output of every|output of the first|output of the previous|"
    "result of one|result of each|previous result|middle tensor|middle result|middle results|"
    "interim|half done dish|half done|half finished|what one op produces|outputs of the ops|"
    "中间结果|中间值|中间数据|中间变量|中间张量|中间产物|中间 tensor|中间的 tensor|中间的结果|中间的数据|"
    "中间的张量|中间那些数据|中间那点数据|中间那些结果|中间的东西|中间状态|中间量|中间缓冲|临时结果|临时数据|"
    "临时变量|临时张量|暂存|半成品|上一步的结果|前一步的结果|前一个的输出|上一个算子的输出|过程数据|"
    "中间的值|中间输出",
    # Where things are
    "on-chip": "on chip|register|registers|register file|shared memory|smem|l1|sram|scratchpad|"
    "inside the sm|in the sm|on the sm|the sm|on die|close to the cores|fast memory|local storage|"
    "inside the kernel|within the kernel|in the kernel|same kernel|cache|close by|nearby|"
    "片上|片内|寄存器|暂存器|共享内存|共享存储|共享记忆体|芯片上|芯片里|晶片上|晶片里|片上内存|sm 里|sm 内|"
    "kernel 里|kernel 内部|核内|缓存|高速缓存|快取",
    "register": "register|registers|register file|regs|reg|register usage|register pressure|"
    "寄存器|暂存器|寄存器压力|暂存器压力|寄存器用量",
    "register-pressure": "register pressure|register usage|register demand|寄存器压力|暂存器压力|寄存器用量",
    "shared-memory": "shared memory|smem|scratchpad|shared mem|共享内存|共享存储|共享记忆体|片上内存",
    "hbm": "hbm|dram|vram|global memory|device memory|gpu memory|main memory|off chip memory|"
    "off chip|graphics memory|memory chips|memory bus|video memory|external memory|slow memory|"
    "big memory|gmem|memory|hbm stacks|dram bus|gpu dram|"
    "显存|全局内存|全域记忆体|全局存储|全局显存|显示记忆体|记忆体|外存|内存|存储器|主存|片外|片外内存|"
    "设备内存|装置记忆体|显卡内存|显卡记忆体",
    "cache": "cache|l1|l2|cache line|cache hit|缓存|快取",
    # What it costs
    "launch": "launch|launched|kernel launch|launch overhead|kernel launch overhead|kernel call|"
    "dispatch|dispatched|submit|submission|kernel start|start up cost|startup cost|invocation|"
    "invoke|trips to the driver|driver call|driver overhead|kick off|enqueue|cpu overhead|"
    "launch latency|launch spam|number of kernels|kernel count|how many kernels|kernels you have to launch|kernels to launch|kernel 开销|kernel 数量|kernel 个数|kernel 数|调度|调度开销|调度耗时|启动|启动开销|启动次数|启动的开销|发射|下发|发起|调用|调用次数|调用开销|派发|"
    "提交|launch 次数|launch 开销|发 kernel|驱动|开核|触发|启动延迟|发几次|下发次数",
    "cpu-side": "cpu|cpu side|host|host side|driver|python overhead|cpu overhead|主机|主机端|cpu 端|"
    "cpu 侧|cpu 那头|驱动",
    "flops": "flops|flop|arithmetic|math|maths|mathematics|computation|computations|compute|"
    "computational work|amount of work|amount of compute|calculation|calculations|operation count|"
    "number of operations|op count|ops count|multiplies|multiply|multiplication|multiplications|"
    "multiply adds|adds and multiplies|additions|arithmetic operations|amount of math|workload|"
    "work done|number crunching|floating point work|same work|amount of arithmetic|macs|"
    "计算量|运算量|运算总量|浮点运算|浮点运算量|浮点计算|浮点运算次数|计算次数|运算次数|乘加|乘加次数|"
    "乘法|乘法次数|加法次数|算的东西|要算的|该算的|该算的东西|计算|运算|算力|算术|数学|flop 数|算的量|"
    "计算总量|演算|算的次数|干的活|活儿|活|数学上做的事|计算的量|演算量",
    "traffic": "traffic|memory traffic|hbm traffic|dram traffic|bytes|byte|bandwidth|"
    "memory bandwidth|reads and writes|read and write|loads and stores|load and store|memory access|memory accesses|"
    "memory transaction|memory transactions|transactions|data movement|data traffic|"
    "memory operations|memory transfer|memory transfers|memory movement|memory movements|memory io|bytes moved|memory passes|passes over memory|data transfer|"
    "data transfers|trips to memory|bandwidth usage|memory ops|dram access|dram accesses|"
    "memory round trips|global memory access|global memory accesses|moving data|io|"
    "访存|访存量|访存次数|访问|带宽|带宽压力|读写|读写量|读写次数|搬运|数据搬运|搬运量|流量|数据量|数据流量|"
    "记忆体流量|显存流量|显存访问|显存访问量|内存访问|访问量|访问次数|数据移动|字节|字节数|频宽|数据搬来搬去|"
    "搬来搬去|存取|存取次数|吞吐的数据|传输量|数据传输|记忆体存取|访问显存|访问内存|读写显存",
    "one-pass": "read once write once|read once and write once|reads once and writes once|"
    "1 read 1 write|1 read and 1 write|1 load and 1 store|load once store once|load once and store once|"
    "touch memory once|only touch dram at the 2 ends|at the 2 ends|at both ends|only at the ends|"
    "1 read plus 1 write|only read once|in once and out once|1 round trip|read the input once|"
    "1 pass over memory|single pass over|once in and once out|first read and the last write|"
    "读一次写一次|读1次写1次|只读写1次|只要读写1次|读写各1次|一读一写|1读1写|读1遍写1遍|只读1次|"
    "一次读一次写|1次读1次写|只需读写1次|进1次出1次|读写1次",
    "memory-bound": "memory bound|bandwidth bound|bandwidth limited|memory limited|io bound|"
    "low arithmetic intensity|arithmetic intensity is low|limited by bandwidth|limited by how fast|limited by the speed|limited by memory|"
    "bound by memory|bound by bandwidth|memory hungry|bandwidth hungry|starved|starving|"
    "waiting on memory|wait for memory|waiting for memory|wait on memory|waiting for data|"
    "dominated by memory|memory intensive|bandwidth heavy|bandwidth is the bottleneck|"
    "memory is the bottleneck|nothing per byte|little compute per byte|few flops per byte|stall on memory|"
    "stalled on memory|limited by dram|bottlenecked by memory|bottlenecked on memory|"
    "memory bandwidth bound|bottlenecked by bandwidth|"
    "访存受限|带宽受限|访存密集|内存受限|访存瓶颈|带宽瓶颈|显存受限|显存瓶颈|吃带宽|卡在带宽|卡带宽|"
    "带宽密集|访存型|访存密集型|带宽型|memory bound 型|受限于访存|受限于带宽|受带宽限制|受访存限制|"
    "受限于显存|算得少读写多|计算强度低|算术强度低|记忆体受限|频宽受限|等数据|等内存|等显存|瓶颈在带宽|"
    "瓶颈在访存|瓶颈是访存|瓶颈是带宽|计算密度低",
    "compute-bound": "compute bound|compute heavy|compute intensive|flop bound|compute limited|"
    "math bound|math limited|limited by compute|convolution|heavy compute|"
    "计算受限|计算密集|计算密集型|算力受限|计算瓶颈|吃算力|计算型|卷积",
    "arithmetic-intensity": "arithmetic intensity|operational intensity|flops per byte|算术强度|计算强度",
    "roofline": "roofline|roof line|ridge point|屋顶线|屋顶模型",
    # The machine
    "occupancy": "occupancy|resident warps|active warps|resident blocks|占用率|占有率|驻留|活跃 warp|"
    "佔用率",
    "occupancy-down": "occupancy collapses|occupancy tanks|occupancy suffers|hurts occupancy|"
    "kills occupancy|hurt occupancy|kill occupancy|poor occupancy|low occupancy|bad occupancy|"
    "occupancy is low|occupancy problem|occupancy loss|limited occupancy|limits occupancy|"
    "occupancy limited|occupancy limit|loss of occupancy|"
    "can't hide latency|cannot hide latency|hide less latency|latency isn't hidden|"
    "latency hiding suffers|occupancy 掉|occupancy 低|占用率低|占用率掉|占用率上不去|占用率起不来|"
    "延迟藏不住|延迟盖不住|隐藏不了延迟|藏不住延迟|掩盖不了延迟|盖不住延迟|并行度下降|并发度下降|"
    "并行度不够|并发上不去|并发变少",
    "warp": "warp|warps|block|blocks|thread block|thread blocks|threads in flight|concurrent threads|"
    "threads at once|threads you can run|how many threads|active threads|number of threads|thread count|cta|ctas|parallelism|concurrency|"
    "线程块|块|线程束|并发|并行度|并发度|同时跑的|同时能跑的|同时跑|活跃线程|线程数",
    "few-fit": "at most|最多|顶多|fit|fits|only 1 block|only 1 block fits|only 1 fits|don't fit|doesn't fit|not enough warps|"
    "too few warps|too few blocks|few blocks|few warps|塞不下|放不下|装不下|只能 resident|只能放|只能跑|"
    "只放得下|只塞得下|跑不了几个|开不了几个",
    "spill": "spill|spilled|spilling|local memory|register spill|spills to local memory|"
    "溢出|溢出到|spill 到|寄存器溢出|爆寄存器|寄存器爆|局部内存|本地内存",
    "resource": "resource|resources|on chip resources|per thread state|资源|片上资源",
    "latency-hiding": "hide latency|latency hiding|hides latency|cover latency|藏延迟|隐藏延迟|掩盖延迟",
    "tensor-core": "tensor core|tensor cores|张量核心|张量核",
    "coalescing": "coalesce|coalesced|coalescing|合并访存|合并访问",
    "bank-conflict": "bank conflict|bank conflicts|存储体冲突|bank 冲突",
    "divergence": "divergence|warp divergence|branch divergence|分支发散|线程束分化|分歧",
    "tile": "tile|tiling|tiled|blocking|分块|切块|平铺",
    "pipelining": "pipelining|software pipeline|double buffer|double buffering|prefetch|async copy|"
    "流水|双缓冲|预取|异步拷贝",
    "quantisation": "quantise|quantize|quantisation|quantization|int8|fp8|int4|量化",
    "kv-cache": "kv cache|key value cache|kv 缓存",
    "attention": "attention|flashattention|注意力",
    "online-softmax": "online softmax|running max|rescale|在线 softmax",
    "batch": "batch|batching|batch size|批|批量|批处理",
    "collective": "all reduce|allreduce|all gather|reduce scatter|nccl|集合通信|通信",
    "atomic": "atomic|atomics|atomicadd|原子|原子操作",
    "synchronise": "synchronise|synchronize|sync|barrier|syncthreads|同步|栅障",
    "stream": "stream|streams|cuda stream|流",
    # Libraries and tools
    "matmul": "matmul|gemm|gemms|matrix|matrices|big matrix|linear layer|mma|"
    "矩阵乘|矩阵乘法|矩阵相乘|大矩阵|矩阵乘积|矩阵运算|矩阵",
    "big": "big|large|huge|heavy|giant|大|巨大|大块头|大型",
    "vendor-library": "cublas|cudnn|vendor library|vendor libraries|vendor|vendor kernel|vendor gemm|"
    "tuned library|tuned kernel|tuned kernels|tuned gemm|nvidia's kernel|nvidia's own|nvidia's gemm|"
    "nvidia's library|nvidia library|nvidia's matmul|nvidia kernel|library kernel|library gemm|"
    "library version|library matmul|library implementation|optimised library|optimized library|"
    "highly tuned|hand tuned|heavily tuned|official library|stock library|the library|math library|"
    "library|libraries|"
    "厂商库|厂商的库|原厂库|原厂函式库|函式库|函数库|官方库|官方的库|官方实现|调优过的库|调好的库|库函数|库里|"
    "库的实现|现成的库|专门的库|高度优化的库|成熟的库|英伟达的库|nvidia 的库|厂商实现|人家库|库调|库做|"
    "厂家的库|厂家库|厂商|原厂|调过的库",
    "own-made": "your own|our own|my own|homemade|home made|home grown|self written|self made|"
    "hand rolled|own version|own implementation|custom gemm|own gemm|own kernel|write it yourself|"
    "自己写|自己写的|自己做|自己动手|自己搞|自己实现|手写的|自写|自己的实现|自己的 kernel|自己造",
    "torch-compile": "torch compile|inductor|dynamo|xla|tvm|nvfuser|torchscript|openxla|jax jit|"
    "pytorch 2 compiler|pytorch compiler|pytorch compile|compile mode|pytorch's compile mode|pytorch's compiler|pt2 compiler|graph compiler|ml compiler|"
    "dl compiler|deep learning compiler|framework compiler|tensorrt|mlir|pt2|pytorch 2|"
    "深度学习编译器|图编译器|图编译|框架编译器",
    "compiler": "compiler|compilers|torch compile|inductor|xla|jit|编译器|编译",
    "automatic": "automatic|automatically|auto|do it for you|does it for you|let|let the|handle|handles|"
    "take care|takes care|most of it|leave it to|rely on|out of the box|for free|"
    "自动|让编译器|交给|靠编译器|用编译器|编译器来|编译器帮|编译器做|编译器搞|一键|自动搞定",
    "triton": "triton|tilelang|pallas|helion|cute dsl|triton kernel",
    "cuda": "cuda|cuda c|cuda c plus plus|cuda kernel|ptx|gpu kernel|custom kernel|kernel|cuda 核",
    "handwritten": "hand written|handwritten|by hand|hand rolled|hand roll|hand code|hand coded|manual|"
    "manually|write your own|write my own|write our own|write a kernel|write it in|write kernels|"
    "roll your own|roll my own|write one yourself|yourself|myself|custom|write a custom|code it|"
    "手写|自己写|手撸|自己撸|撸|手搓|自己手写|手工写|手动写|自己刻|手刻|亲手|写 cuda|自己上|手工|自己实现",
    "cutlass": "cutlass|evt|epilogue visitor|epilogue visitor tree|cute",
    "epilogue": "epilogue|tail of the matmul|end of the matmul|matmul tail|after the matmul|"
    "tail end|before writing|before the store|gemm tail|matmul's tail|"
    "尾部|收尾|尾声|尾处理|尾巴|后处理|写出之前|写回之前|写出前|写回前|末尾",
    "bias-activation": "bias|bias add|activation|relu|gelu|silu|swish|scale|偏置|激活|激活函数|加偏置",
    "cuda-graph": "cuda graph|graph|graph capture|graph replay|graphs|captured graph|capture|replay|"
    "cuda 图|计算图回放|图捕获|录制|录下来|回放",
    "profile": "profile|profiling|profiler|nsight|nsight systems|nsight compute|nvprof|trace|"
    "timeline|measure|measurement|benchmark|flame graph|hot spot|hotspot|breakdown|perfetto|"
    "性能分析|剖析|火焰图|时间线|测一下|先测|测量|实测|跑一下|抓一下|热点|量一下|看时间",
    "where-time": "where the time goes|where time goes|where time is spent|where the time is spent|"
    "time breakdown|what dominates|takes the most time|most time|most of the time|hot|top kernels|"
    "时间花在哪|时间花在|耗时|时间耗在|哪里慢|最花时间|最耗时|时间都去哪|时间去哪|占时间",
    "opaque": "opaque|custom op|custom ops|custom operator|custom cuda extension|custom extension|"
    "black box|black boxes|blackbox|extern|external kernel|external call|external op|extern kernel|"
    "extern call|library call|hand made extension|c++ extension|c plus plus extension|hidden|closed|"
    "third party|no source|sealed|fallback|graph break|"
    "不透明|看不进去|看不进|看不透|看不懂|看不到|进不去|看不见|不可见|读不懂|黑盒|黑盒子|黑箱|自定义算子|自定义 op|外部调用|外部库|第三方|第三方库|外部 kernel|外部算子|"
    "库调用|封死|扩展算子|看不到里面|里面写了啥|内部实现|图断裂|断图",
    "embedding-bag": "embedding bag|embeddingbag|nn embeddingbag|嵌入袋|embedding lookup pooling",
    "pattern-memory": "access pattern|gather|scatter|random access|irregular|随机访问|不规则",
    # Numbers
    "bit-identical": "bit identical|bitwise|bitwise identical|bitwise equal|bit exact|same bits|"
    "bit for bit|bit by bit|not 1 bit|not a bit|not a single bit|not even 1 bit|torch equal|exactly the same|exactly equal|down to the last bit|"
    "exact match|match exactly|matches exactly|matched exactly|bits match|every bit|the very same bits|"
    "same bit pattern|numerically identical|identical output|identical results|identical outputs|"
    "output is identical|outputs are identical|results are identical|zero difference|"
    "逐位|逐比特|完全一样|完全一致|完全相同|一模一样|位级一致|按位一致|逐位一致|逐位相同|逐 bit|逐字节|"
    "bit 级一致|一个 bit 都不差|1个 bit 都不差|1个bit都不差|一位不差|一比特不差|1比特不差|一比特都不差|1比特都不差|一个比特都不差|1个比特都不差|分毫不差|每一位都|位元一致|逐位元|"
    "结果一致|结果一样|数值一致|数值一样|输出一致|输出一样|输出相同|结果相同|完全对得上|毫无差别|丝毫不差|比特级",
    "order": "order|summation order|sequence of operations|evaluation order|order of operations|"
    "order of the operations|accumulation order|reduction order|who gets added first|added first|"
    "sequence|顺序|次序|先后|运算顺序|计算顺序|累加顺序|归约顺序|求和顺序|加法顺序|先后次序|先后顺序|次序关系",
    "fma": "fma|fused multiply add|multiply add contraction|contraction|contract|fmad|乘加融合|"
    "乘加合并|收缩",
    "precision": "precision|dtype|accumulate in|fp16|bf16|fp32|half precision|lower precision|"
    "higher precision|data type|精度|半精度|单精度|数据类型|不同精度",
    "associative": "associative|associativity|non associative|nonassociative|not associative|"
    "commutative|结合律|交换律|不满足结合律",
    "rounding": "rounding|rounding error|rounding errors|rounding difference|last digit|last bit|"
    "last bits|ulp|ulps|small error|small errors|tiny error|tiny difference|tiny differences|"
    "small difference|small differences|slight difference|slight differences|slightly different|"
    "slightly off|numerical error|numeric error|numerical noise|float error|epsilon|numerical drift|"
    "floating point error|舍入|舍入误差|微小误差|微小差异|微小的误差|微小的差异|尾数|末位|小误差|浮点误差|"
    "一点误差|一点点误差|细微|细微差别|数值误差|误差|精度误差|小差别",
    "floating-point": "floating point|float|floats|浮点|浮点数",
    # Time
    "amdahl": "amdahl|amdahl law|amdahl's law|阿姆达尔|阿姆达尔定律|安达尔",
    "kernel-time": "kernel time|gpu time|gpu kernel time|kernel total|total gpu time|total kernel time|"
    "time on the gpu|gpu kernels|device time|gpu busy time|kernel 时间|kernel 总时间|gpu 时间|"
    "gpu kernel 时间|gpu 总时间|kernel 耗时|核函数时间|gpu 耗时|kernel 总耗时|gpu 上的时间",
    "end-to-end": "end to end|latency|whole service|service|serving|forward|forward pass|online|"
    "response time|request latency|forward latency|model latency|whole model|inference latency|"
    "端到端|整体|线上|延迟|前向|前向延迟|整个前向|推理延迟|模型延迟|服务延迟|整体延迟|前向传播",
    "service": "service|server|serving|users|responses|requests|qps|throughput|production|"
    "服务|线上|用户|请求|吞吐",
    "throughput": "throughput|tokens per second|qps|吞吐|吞吐量",
    "flashvector": "flashvector|my project|our project|our work|my work|我们项目|我的项目|我自己的项目|"
    "我们那个|自己的专案|我们的项目|项目里",
}
"""Concept → its forms, as :data:`~quizapp.recall.everyday.EVERYDAY`."""
