namespace Wirelab;

/// <summary>
/// Times at which ticks are intended: tick i at start + FirstNs + i * PeriodNs, for Count ticks; in a closed loop as
/// soon as the last one has ended. A lane is due at CycleActive of CycleLength ticks.
/// </summary>
public sealed record Schedule(
    long FirstNs,
    long PeriodNs,
    long Count,
    long Warmup,
    bool Closed,
    long CycleLength,
    long CycleActive,
    IReadOnlyList<Step> Steps)
{
    /// <summary>The golden ratio in billionths: its multiples are spread evenly, however many.</summary>
    private const long Golden = 618_033_989;

    private const long Whole = 1_000_000_000;

    /// <summary>Nanoseconds by which a lane is shifted within its cycle.</summary>
    public long ShiftNs(long lane)
    {
        long part = lane % Whole * Golden % Whole;
        return (long)((Int128)part * CycleLength * PeriodNs / Whole);
    }

    /// <summary>
    /// Tells whether <paramref name="lane"/> is due at <paramref name="tick"/>, as far as its cycle says.
    /// </summary>
    public bool InCycle(long lane, long tick)
    {
        long place = (tick - ShiftNs(lane) / PeriodNs) % CycleLength;
        return (place < 0 ? place + CycleLength : place) < CycleActive;
    }

    /// <summary>
    /// Time at which <paramref name="lane"/> is intended at <paramref name="tick"/>, after the start.
    /// </summary>
    public long IntendedNs(long lane, long tick) => FirstNs + tick * PeriodNs + ShiftNs(lane) % PeriodNs;

    /// <summary>Nanoseconds that so many ticks of a closed loop may take; the most that there are beyond 64 bits.</summary>
    public long AtMostNs(long ticks, long operationNs) =>
        (long)Int128.Min((Int128)ticks * PeriodNs + operationNs, long.MaxValue);

    internal static Schedule Of(Fields fields, Fields parameters)
    {
        Fields cycle = fields.ObjectOrEmpty("cycle");
        var schedule = new Schedule(
            fields.Integer("first_ns"),
            fields.Integer("period_ns"),
            fields.Integer("count"),
            fields.Integer("warmup", 0),
            fields.Text("loop", "open") == "closed",
            cycle.Integer("length", 1),
            cycle.Integer("active", 1),
            fields.Objects("steps").Select(step => Step.Of(step, parameters)).ToList());
        return schedule.Count == 0 || schedule.PeriodNs > 0
            ? schedule
            : throw new ContractException($"schedule.period_ns: expected at least 1, found {schedule.PeriodNs}");
    }
}

/// <summary>A part of the schedule with a load of its own; First, Count and Settle in ticks.</summary>
public sealed record Step(
    string Name, long First, long Count, long Settle, int Users, int Lanes, long JoinNs, Fields Parameters)
{
    /// <summary>Time at which the k-th of n new users is to connect, in nanoseconds after the step began.</summary>
    public long JoinsAfterNs(long k, long n) => (long)((Int128)k * JoinNs / n);

    internal static Step Of(Fields fields, Fields parameters) =>
        new(
            fields.Text("name"),
            fields.Integer("first"),
            fields.Integer("count"),
            fields.Integer("settle"),
            fields.Within("users", 1, int.MaxValue),
            fields.Within("lanes", 1, int.MaxValue),
            fields.Integer("join_ns", 0),
            parameters.With(fields.ObjectOrEmpty("parameters")));
}
