namespace Wirelab;

/// <summary>
/// One timed call: from just before it is sent to when its outcome is in the caller's hands. Settled once, by the
/// library's answer or by giving up; what comes later is ignored.
/// </summary>
internal sealed class Call(
    Operation operation, IClient client, Commands commands, long intendedNs, Action<Call> settledAs)
{
    private const long MillisecondNs = 1_000_000;

    private int _decided;
    private volatile bool _settled;

    public Operation Operation => operation;

    public long IntendedNs => intendedNs;

    public long StartNs { get; private set; }

    public long EndNs { get; private set; }

    public Outcome Outcome { get; private set; } = Outcome.Ok;

    /// <summary>Sends <paramref name="request"/>.</summary>
    public void Begin(Request request)
    {
        StartNs = Clock.Now;
        try
        {
            // On the thread that completes it: a handover would be timed with the call.
            request().ContinueWith(
                Complete, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
        }
        catch (Exception notSent)
        {
            Settle(Clock.Now, () => client.Failed(notSent));
        }
    }

    /// <summary>Waits until settled, or gives up as timed out at <paramref name="deadlineNs"/> or soon after a stop.</summary>
    public void Await(long deadlineNs, long graceNs)
    {
        long until = deadlineNs;
        bool stopping = false;
        while (!_settled)
        {
            if (commands.Stopped && !stopping)
            {
                stopping = true;
                until = Math.Min(until, Clock.Now + graceNs);
            }
            long left = until - Clock.Now;
            if (left <= 0)
            {
                GiveUp(stopping);
                // Where the library was first, its thread is just writing the outcome down.
                Thread.Yield();
            }
            else
            {
                bool told = stopping;
                int milliseconds = (int)Math.Min(left / MillisecondNs + 1, int.MaxValue);
                commands.WaitUntil(() => _settled || (commands.Stopped && !told), milliseconds);
            }
        }
    }

    private void Complete(Task<Outcome> answered) =>
        Settle(Clock.Now, () => answered.IsCompletedSuccessfully ? answered.Result : client.Failed(Cause(answered)));

    private static Exception Cause(Task answered) =>
        answered.Exception?.InnerException ?? new TaskCanceledException(answered);

    private void GiveUp(bool stopping)
    {
        string why = stopping ? "given up because the worker is to stop" : "given up at the operation limit";
        Settle(Clock.Now, () => Outcome.Failed(
            Status.Timeout, new Fault(Scope.Call, "OperationLimit", "", why)));
    }

    private void Settle(long now, Func<Outcome> how)
    {
        if (Interlocked.Exchange(ref _decided, 1) != 0)
        {
            return;
        }
        EndNs = now;
        try
        {
            Outcome = how();
        }
        catch (Exception wrong)
        {
            // It would vanish in the task otherwise, and nobody would be told.
            Outcome = Outcome.Failed(Status.Error, Fault.OfCall(wrong, ""));
        }
        settledAs(this);
        _settled = true;
        commands.Wake();
    }
}
