namespace Wirelab.Lanes;

/// <summary>
/// Drives <see cref="ILaneWork{TAsked,TAnswer}"/> as the schedule of the spec says. In a closed loop a lane is a task
/// on the thread pool; in an open one it has a thread that waits until it is due. For the thread that the worker
/// plays its part on.
/// </summary>
public sealed class TaskLanes<TAsked, TAnswer>
{
    private const long ReportAfterNs = 500_000_000;

    /// <summary>Share of the time allowed to stop in that is for calls under way.</summary>
    private const int StopShare = 4;

    private const int PollMilliseconds = 1;

    private readonly CancellationTokenSource _givingUp = new();
    private readonly List<Lane<TAsked, TAnswer>> _lanes = [];

    /// <summary>Drives <paramref name="work"/> on <paramref name="schedule"/>, or on that of the spec.</summary>
    public TaskLanes(Worker worker, ILaneWork<TAsked, TAnswer> work, LaneSchedule? schedule = null)
    {
        Worker = worker;
        Work = work;
        Schedule = schedule ?? new LaneSchedule(worker.Spec);
        Records = new LaneRecords(worker);
        AtTicks = DueAt("tick").ToArray();
        Joins = DueAt("join").FirstOrDefault(LaneCall.UntimedJoin);
        if (AtTicks.FirstOrDefault(operation => !work.Operations.Contains(operation.Name)) is Operation unknown)
        {
            string known = string.Join(", ", work.Operations);
            throw new ContractException($"operations.{unknown.Name}: this client has {known}");
        }
    }

    internal Worker Worker { get; }

    internal ILaneWork<TAsked, TAnswer> Work { get; }

    internal LaneSchedule Schedule { get; }

    internal LaneRecords Records { get; }

    /// <summary>Operations that are due at ticks, in the order of their codes.</summary>
    internal Operation[] AtTicks { get; }

    /// <summary>The operation by which users connect.</summary>
    internal Operation Joins { get; }

    internal bool Stopped => Worker.Commands.Stopped;

    /// <summary>Performs what is verified before timing, as lane 0 of the first step.</summary>
    /// <exception cref="WorkerFailure">One has no answer: what cannot be done once is not timed.</exception>
    public void Preflight()
    {
        Step step = Schedule.Steps[0];
        Work.Begin(step);
        foreach ((string name, int calls) in Worker.Spec.Verify.Preflight)
        {
            Operation? operation = AtTicks.FirstOrDefault(one => one.Name == name);
            for (int index = 0; operation is not null && index < calls && !Stopped; index++)
            {
                Preflight(LaneCall.Preflight(operation, step, index));
            }
        }
    }

    /// <summary>Waits for <c>start</c> and carries out the schedule, or what there is of it until a stop.</summary>
    public void Run()
    {
        if (!Schedule.Closed)
        {
            foreach (Step step in Schedule.Steps)
            {
                Work.Begin(step);
            }
        }
        if (Worker.Commands.AwaitStart() is not long startNs)
        {
            return;
        }
        Worker.ReportFrom(startNs + ReportAfterNs);
        Work.Starts(startNs);
        if (Schedule.Closed)
        {
            if (Ticker.Until(startNs, () => Stopped))
            {
                Await(Task.Run(new ClosedLoop<TAsked, TAnswer>(this).Run));
            }
        }
        else
        {
            Await(new OpenLoop<TAsked, TAnswer>(this, startNs).Run());
        }
    }

    /// <summary>The first so many lanes; for one thread.</summary>
    internal IReadOnlyList<Lane<TAsked, TAnswer>> Lanes(int count)
    {
        while (_lanes.Count < count)
        {
            _lanes.Add(new Lane<TAsked, TAnswer>(
                Work, Records, Worker.Spec.Limits.OperationNs, _givingUp.Token));
        }
        return _lanes.GetRange(0, count);
    }

    /// <summary>Operations that are due so, in the order of their codes.</summary>
    internal IEnumerable<Operation> DueAt(string due) =>
        Worker.Spec.Operations.Where(one => one.Due == due && one.Record == "samples").OrderBy(one => one.Code);

    /// <summary>Waits for what calls were to bring, until the deadline or so long after the last of it.</summary>
    internal async Task AwaitArrivals(long deadlineNs)
    {
        long limitNs = Worker.Spec.Limits.OperationNs;
        while (Work.Arrivals is { Complete: false } arrivals && !Stopped
            && Clock.Now < deadlineNs && Clock.Now - arrivals.LastNs < limitNs)
        {
            await Task.Delay(PollMilliseconds).ConfigureAwait(false);
        }
    }

    /// <summary>A deadline so long after a time; in 146 years at the latest.</summary>
    internal static long After(long ns, long lasting) => ns + Math.Min(lasting, long.MaxValue / 2);

    private void Preflight(LaneCall call)
    {
        TAsked asked = Work.Prepare(call);
        // A cold runtime may take as long as the worker has to get ready.
        using var limit = new CancellationTokenSource(Milliseconds(Worker.Spec.Limits.ReadyNs));
        Outcome outcome;
        call.Start();
        try
        {
            TAnswer answer = Work.Call(asked, call, limit.Token).WaitAsync(limit.Token).GetAwaiter().GetResult();
            call.End(Clock.Now);
            outcome = Work.Judge(call, answer);
        }
        catch (Exception thrown)
        {
            call.End(Clock.Now);
            outcome = Work.Explain(call, thrown);
        }
        if (outcome.Answer is not null)
        {
            Records.WriteAnswer(call, outcome);
        }
        else if (!Stopped)
        {
            throw new WorkerFailure(call.Operation.Name, outcome.Faults.FirstOrDefault(
                new Fault(Scope.Call, "NoAnswer", "", "the preflight brought no answer to verify")));
        }
    }

    /// <summary>Waits for all lanes; after a stop calls under way have a share of its limit.</summary>
    private void Await(Task lanes)
    {
        lanes.ContinueWith(
            _ => Worker.Commands.Wake(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        Worker.Commands.WaitUntil(() => lanes.IsCompleted || Stopped, Timeout.Infinite);
        _givingUp.CancelAfter(Milliseconds(Worker.Spec.Limits.StopNs / StopShare));
        lanes.GetAwaiter().GetResult();
    }

    private static TimeSpan Milliseconds(long ns) =>
        TimeSpan.FromMilliseconds(Math.Min(ns / 1_000_000, int.MaxValue - 1));
}
