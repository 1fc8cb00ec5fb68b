namespace Wirelab.Lanes;

/// <summary>One lane: its calls one after the other, each with a limit, recorded.</summary>
internal sealed class Lane<TAsked, TAnswer>(
    ILaneWork<TAsked, TAnswer> work, LaneRecords records, long limitNs, CancellationToken givingUp)
{
    /// <summary>After its limit a library has this long to say so in its own words.</summary>
    private const long SlackNs = 100_000_000;

    private const long MillisecondNs = 1_000_000;

    /// <summary>The end of its last call on CLOCK_MONOTONIC; 0 before the first one.</summary>
    public long LastNs { get; private set; }

    /// <summary>Prepares a call, performs it, and records it; false where it was given up.</summary>
    public async Task<bool> Perform(LaneCall call, long endNs)
    {
        Asked.Kept kept = records.KeptOf(call.Lane);
        kept.Begin();
        TAsked asked = work.Prepare(call);
        CancellationTokenSource limit = Limit(endNs);
        TAnswer? answer = default;
        Exception? thrown = null;
        call.Start();
        try
        {
            // What does not hear that it is cancelled is left behind.
            answer = await work.Call(asked, call, limit.Token).WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception why)
        {
            thrown = why;
        }
        call.End(Clock.Now);
        LastNs = call.EndNs;
        if (IsGivenUp(limit, thrown))
        {
            records.GiveUp(call, begun: true);
            return false;
        }
        Outcome outcome = thrown is null ? work.Judge(call, answer!) : work.Explain(call, thrown);
        records.Keep(call, outcome);
        kept.End([new Result(call.Operation.Name, call.Tick, call.StartNs, call.EndNs, outcome.Answer)]);
        return true;
    }

    /// <summary>Connects the lane's user, recorded where that is an operation; false where it was given up.</summary>
    public async Task<bool> Join(LaneCall call, Joining joining, long endNs)
    {
        CancellationTokenSource limit = Limit(endNs);
        Exception? thrown = null;
        call.Start();
        try
        {
            await joining(call, limit.Token).WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception why)
        {
            thrown = why;
        }
        call.End(Clock.Now);
        if (IsGivenUp(limit, thrown))
        {
            records.GiveUp(call, begun: true);
            return false;
        }
        records.Keep(call, thrown is null ? Outcome.Ok : work.Explain(call, thrown));
        return true;
    }

    /// <summary>
    /// Tells whether a call ended by its limit and nothing else; its source is let go of where it did not.
    /// </summary>
    private static bool IsGivenUp(CancellationTokenSource limit, Exception? thrown)
    {
        if (thrown is OperationCanceledException && limit.IsCancellationRequested)
        {
            // Whoever cancels has called us first, and the library is still to be told by the same source.
            return true;
        }
        limit.Dispose();
        return false;
    }

    private CancellationTokenSource Limit(long endNs)
    {
        var limit = CancellationTokenSource.CreateLinkedTokenSource(givingUp);
        long leftNs = Math.Max(0, Math.Min(limitNs, endNs - Clock.Now)) + SlackNs;
        limit.CancelAfter((int)Math.Min(leftNs / MillisecondNs, int.MaxValue - 1));
        return limit;
    }
}
