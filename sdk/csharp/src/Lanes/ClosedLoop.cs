namespace Wirelab.Lanes;

/// <summary>
/// Steps one after the other; in each, every lane performs its next call when the last one has ended: by itself, or
/// in rounds that all lanes begin together.
/// </summary>
internal sealed class ClosedLoop<TAsked, TAnswer>(TaskLanes<TAsked, TAnswer> driver)
{
    private int _joined;

    /// <summary>Ends after the last step, or soon after a stop.</summary>
    public async Task Run()
    {
        foreach (Step step in driver.Schedule.Steps)
        {
            await Join(step).ConfigureAwait(false);
            if (driver.Stopped)
            {
                return;
            }
            driver.Work.Begin(step);
            await CarryOut(step).ConfigureAwait(false);
        }
    }

    /// <summary>Connects the users that a step adds, one after the other.</summary>
    private async Task Join(Step step)
    {
        IReadOnlyList<Lane<TAsked, TAnswer>> users = driver.Lanes(Math.Max(step.Users, step.Lanes));
        for (; driver.Work.Joining is Joining joining && _joined < step.Users && !driver.Stopped; _joined++)
        {
            LaneCall call = LaneCall.Next(driver.Joins, step, LaneCall.Joining, _joined);
            if (!await users[_joined].Join(call, joining, long.MaxValue).ConfigureAwait(false))
            {
                await Task.Yield();
            }
        }
    }

    private async Task CarryOut(Step step)
    {
        long begins = step.First + step.Settle;
        await PerformPhase(step, step.First, begins, Latest(step.Settle), counts: false).ConfigureAwait(false);
        long beginNs = Clock.Now;
        long deadlineNs = Latest(step.Count - step.Settle);
        await PerformPhase(step, begins, step.First + step.Count, deadlineNs, counts: true).ConfigureAwait(false);
        // A step that was stopped has not ended: the core hears of those alone that have.
        if (!driver.Stopped)
        {
            End(step, beginNs);
        }
    }

    private long Latest(long ticks) =>
        TaskLanes<TAsked, TAnswer>.After(Clock.Now, driver.Schedule.AtMostNs(ticks));

    /// <summary>Performs ticks of a step on all of its lanes, and waits for what they bring to others.</summary>
    private async Task PerformPhase(Step step, long from, long to, long deadlineNs, bool counts)
    {
        driver.Work.Arrivals?.Begin(step, counts);
        bool goesOn = true;
        LaneBarrier? rounds = driver.Work.InRounds(step)
            ? new LaneBarrier(step.Lanes, () =>
            {
                // Of one lane, while all others wait: whether they go on must be the same for all.
                goesOn = IsGoing(deadlineNs);
            })
            : null;
        Func<bool> isGoing = rounds is null ? () => IsGoing(deadlineNs) : () => goesOn;
        await Task.WhenAll(driver.Lanes(step.Lanes).Select((lane, number) => Task.Run(
            () => Live(lane, number, step, (from, to, deadlineNs), rounds, isGoing)))).ConfigureAwait(false);
        await driver.AwaitArrivals(deadlineNs).ConfigureAwait(false);
    }

    private async Task Live(
        Lane<TAsked, TAnswer> lane, int number, Step step, (long From, long To, long DeadlineNs) ticks,
        LaneBarrier? rounds, Func<bool> isGoing)
    {
        try
        {
            for (long tick = ticks.From; tick < ticks.To; tick++)
            {
                if (rounds is not null)
                {
                    await rounds.Arrive().ConfigureAwait(false);
                }
                if (!isGoing())
                {
                    return;
                }
                foreach (Operation operation in driver.AtTicks)
                {
                    if (operation.DueAt(tick))
                    {
                        LaneCall call = LaneCall.Next(operation, step, tick, number);
                        if (!await lane.Perform(call, ticks.DeadlineNs).ConfigureAwait(false))
                        {
                            // We are called by what gives up, before the library hears of it.
                            await Task.Yield();
                        }
                    }
                }
                if (driver.Work.Arrivals is { Complete: false })
                {
                    // A library that only takes a message over never lets anybody else have the thread.
                    await Task.Yield();
                }
            }
        }
        finally
        {
            rounds?.Leave();
        }
    }

    private bool IsGoing(long deadlineNs) => !driver.Stopped && Clock.Now < deadlineNs;

    private void End(Step step, long beginNs)
    {
        long lastNs = driver.Lanes(step.Lanes).Max(lane => lane.LastNs);
        long endNs = Math.Max(beginNs + 1, lastNs);
        if (driver.Work.Arrivals is IArrivals arrivals)
        {
            endNs = Math.Max(endNs, arrivals.LastNs);
            RecordReceipts(arrivals, step, beginNs, endNs);
        }
        driver.Worker.Events.Step(step.Name, beginNs, endNs);
    }

    private void RecordReceipts(IArrivals arrivals, Step step, long beginNs, long endNs)
    {
        foreach (Operation operation in driver.DueAt("step"))
        {
            for (int user = 0; user < step.Users; user++)
            {
                long? doneNs = arrivals.CompletedNs(user);
                Status status = doneNs is null ? Status.Timeout : Status.Ok;
                driver.Records.KeepReceipt(operation, user, beginNs, Math.Min(doneNs ?? endNs, endNs), status);
            }
        }
    }
}
