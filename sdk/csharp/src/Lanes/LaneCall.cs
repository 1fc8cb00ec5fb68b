namespace Wirelab.Lanes;

/// <summary>One operation of one lane.</summary>
public sealed class LaneCall
{
    /// <summary>The tick of a call that connects a user.</summary>
    internal const long Joining = -1;

    /// <summary>Connecting where the spec has no operation for it: it leaves no record.</summary>
    internal static readonly Operation UntimedJoin = new("connect", 0, 1, 1, "join", "samples");

    private const long NoTime = -1;

    private readonly long _dueNs;
    private long _endNs = NoTime;

    private LaneCall(Operation operation, Phase phase, Step step, long tick, int lane, long dueNs)
    {
        Operation = operation;
        Phase = phase;
        Step = step;
        Tick = tick;
        Lane = lane;
        _dueNs = dueNs;
    }

    /// <summary>The operation that is performed.</summary>
    public Operation Operation { get; }

    /// <summary>Part of the trial.</summary>
    public Phase Phase { get; }

    /// <summary>The step it belongs to; of a preflight, the first one.</summary>
    public Step Step { get; }

    /// <summary>Number of the tick; of a preflight, counted by itself.</summary>
    public long Tick { get; }

    /// <summary>The lane, which is the user of that number.</summary>
    public int Lane { get; }

    /// <summary>Time at which it was due, on CLOCK_MONOTONIC; in a closed loop, when it started.</summary>
    public long IntendedNs => _dueNs == NoTime ? StartNs : _dueNs;

    /// <summary>Time at which the library was called, on CLOCK_MONOTONIC.</summary>
    public long StartNs { get; private set; }

    /// <summary>Time at which the result was in the caller's hands, on CLOCK_MONOTONIC.</summary>
    public long EndNs => _endNs;

    internal bool IsRecorded => Operation != UntimedJoin;

    /// <summary>Says when the result was in the caller's hands, where another thread saw it come.</summary>
    public void EndedAt(long ns) => _endNs = ns;

    /// <summary>A call that is due at a time of CLOCK_MONOTONIC.</summary>
    internal static LaneCall DueAt(long dueNs, Operation operation, Step step, long tick, int lane) =>
        new(operation, Phase.Measure, step, tick, lane, dueNs);

    /// <summary>A call of a closed loop, which is due when it starts.</summary>
    internal static LaneCall Next(Operation operation, Step step, long tick, int lane) =>
        new(operation, Phase.Measure, step, tick, lane, NoTime);

    /// <summary>A call before the measurement, by lane 0.</summary>
    internal static LaneCall Preflight(Operation operation, Step step, long index) =>
        new(operation, Phase.Preflight, step, index, 0, NoTime);

    /// <summary>The same call as one that is over now: another thread may still have it in hands.</summary>
    internal LaneCall GivenUp(bool begun)
    {
        var over = new LaneCall(Operation, Phase, Step, Tick, Lane, _dueNs);
        long now = Clock.Now;
        over.StartNs = begun ? StartNs : now;
        over._endNs = begun ? EndNs : now;
        return over;
    }

    /// <summary>Stamps the start, just before the library is called.</summary>
    internal void Start() => StartNs = Clock.Now;

    /// <summary>Stamps the end, unless the work has said when it was.</summary>
    internal void End(long nowNs) => _endNs = _endNs == NoTime ? nowNs : _endNs;
}
