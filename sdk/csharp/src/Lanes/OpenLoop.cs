namespace Wirelab.Lanes;

/// <summary>
/// Every lane at its intended times, one call at a time. A lane that is late performs the next one at once; none is
/// left out. What it has not begun when the time of the schedule is up, it gives up.
/// </summary>
/// <remarks>A thread a lane, that sleeps until it is due: timers of .NET have a grain of a millisecond.</remarks>
internal sealed class OpenLoop<TAsked, TAnswer>
{
    private const int StackBytes = 256 * 1024;

    private readonly TaskLanes<TAsked, TAnswer> _driver;
    private readonly LaneSchedule _schedule;
    private readonly IReadOnlyList<Lane<TAsked, TAnswer>> _lanes;
    private readonly long _startNs;
    private readonly long _endNs;

    public OpenLoop(TaskLanes<TAsked, TAnswer> driver, long startNs)
    {
        _driver = driver;
        _startNs = startNs;
        _schedule = driver.Schedule;
        _endNs = TaskLanes<TAsked, TAnswer>.After(startNs, _schedule.EndNs);
        _lanes = driver.Lanes(
            driver.Work.Joining is null ? _schedule.Lanes : Math.Max(_schedule.Lanes, _schedule.Users));
    }

    private bool IsInTime => Clock.Now < _endNs;

    /// <summary>Ends when all lanes have, and what they brought to others has come.</summary>
    public async Task Run()
    {
        await Task.WhenAll(Enumerable.Range(0, _lanes.Count).Select(OnThread)).ConfigureAwait(false);
        await _driver.AwaitArrivals(_endNs).ConfigureAwait(false);
    }

    private Task OnThread(int lane)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(
            () =>
            {
                try
                {
                    Live(lane);
                    ended.SetResult();
                }
                catch (Exception failed)
                {
                    ended.SetException(failed);
                }
            },
            StackBytes)
        { IsBackground = true, Name = $"lane-{lane}" };
        thread.Start();
        return ended.Task;
    }

    /// <summary>From joining to the last tick of one user.</summary>
    private void Live(int lane)
    {
        using var ended = new ManualResetEventSlim(false, spinCount: 0);
        if (!Join(lane, ended))
        {
            return;
        }
        foreach (Due due in _schedule.DueTurns(lane))
        {
            foreach (Operation operation in _driver.AtTicks)
            {
                if (operation.DueAt(due.Tick) && !Perform(lane, operation, due, ended))
                {
                    return;
                }
            }
        }
    }

    /// <summary>Connects a user at its time; false when the lane is to end.</summary>
    private bool Join(int user, ManualResetEventSlim ended)
    {
        if (_driver.Work.Joining is not Joining joining || _schedule.JoinOf(user) is not Join join)
        {
            return true;
        }
        long intendedNs = _startNs + join.AfterNs;
        if (!Ticker.Until(intendedNs, () => _driver.Stopped))
        {
            return false;
        }
        LaneCall call = LaneCall.DueAt(intendedNs, _driver.Joins, join.Step, LaneCall.Joining, user);
        if (IsInTime)
        {
            Await(_lanes[user].Join(call, joining, _endNs), ended);
        }
        else
        {
            _driver.Records.GiveUp(call, begun: false);
        }
        return true;
    }

    /// <summary>One operation of a lane at its time; false when the lane is to end.</summary>
    private bool Perform(int lane, Operation operation, Due due, ManualResetEventSlim ended)
    {
        long intendedNs = _startNs + due.AfterNs;
        if (!Ticker.Until(intendedNs, () => _driver.Stopped))
        {
            return false;
        }
        LaneCall call = LaneCall.DueAt(intendedNs, operation, due.Step, due.Tick, lane);
        if (IsInTime)
        {
            Await(_lanes[lane].Perform(call, _endNs), ended);
        }
        else
        {
            _driver.Records.GiveUp(call, begun: false);
        }
        return true;
    }

    /// <summary>Waits without spinning, as <see cref="Task.Wait()"/> would: it would take the library's processor.</summary>
    private static void Await(Task call, ManualResetEventSlim ended)
    {
        if (!call.IsCompleted)
        {
            ended.Reset();
            call.ContinueWith(
                _ => ended.Set(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
            ended.Wait();
        }
        call.GetAwaiter().GetResult();
    }
}
