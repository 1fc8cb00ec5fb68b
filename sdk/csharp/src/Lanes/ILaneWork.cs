namespace Wirelab.Lanes;

/// <summary>
/// Work of lanes, in parts of which one is timed; <see cref="TaskLanes{TAsked,TAnswer}"/> drives it. Lanes are tasks on
/// the thread pool: what has to do with a call may be entered by several threads at a time.
/// </summary>
/// <typeparam name="TAsked">What a call takes.</typeparam>
/// <typeparam name="TAnswer">What it returns.</typeparam>
public interface ILaneWork<TAsked, TAnswer>
{
    /// <summary>The operations that it has, among those that are due at ticks.</summary>
    IReadOnlyCollection<string> Operations { get; }

    /// <summary>Connecting of users, where each has a connection of its own.</summary>
    Joining? Joining => null;

    /// <summary>Arrivals that calls bring to other users, where they bring anything.</summary>
    IArrivals? Arrivals => null;

    /// <summary>
    /// Gets ready for a step. In a closed loop nothing is under way; in an open one all steps are announced before
    /// the first tick.
    /// </summary>
    void Begin(Step step)
    {
    }

    /// <summary>Hears when tick 0 is, on CLOCK_MONOTONIC; it is still to come.</summary>
    void Starts(long startNs)
    {
    }

    /// <summary>
    /// Tells whether the lanes of a closed loop begin each tick together, when all ended the last one.
    /// </summary>
    bool InRounds(Step step) => false;

    /// <summary>Prepares what the call takes, before the clock is read.</summary>
    TAsked Prepare(LaneCall call);

    /// <summary>
    /// Performs the timed part. At its limit, and soon after a stop, <paramref name="limit"/> is cancelled, and what
    /// has not ended then is a timeout. It must not block: what only blocks belongs into a task of its own.
    /// </summary>
    Task<TAnswer> Call(TAsked asked, LaneCall call, CancellationToken limit);

    /// <summary>Tells status, size and answer of what a call returned, after the clock was read.</summary>
    Outcome Judge(LaneCall call, TAnswer answer);

    /// <summary>Puts what a call threw into the words of its library.</summary>
    Outcome Explain(LaneCall call, Exception thrown);
}

/// <summary>Connects the user <c>call.Lane</c>; recorded where the spec has an operation due at joins.</summary>
public delegate Task Joining(LaneCall call, CancellationToken limit);

/// <summary>Arrivals that calls bring to other users after they have ended. From any thread.</summary>
public interface IArrivals
{
    /// <summary>
    /// Begins a phase of a step of a closed loop: settling, or what <paramref name="counts"/>. What the phase before
    /// was to bring has come, or is given up.
    /// </summary>
    void Begin(Step step, bool counts);

    /// <summary>True once everything has come that the calls so far were to bring.</summary>
    bool Complete { get; }

    /// <summary>Time at which the last of the phase came, on CLOCK_MONOTONIC; when it began where none has.</summary>
    long LastNs { get; }

    /// <summary>Time at which a user had got everything of the phase, on CLOCK_MONOTONIC; null: it has not.</summary>
    long? CompletedNs(int user);
}
