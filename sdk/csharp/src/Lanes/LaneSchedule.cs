namespace Wirelab.Lanes;

/// <summary>Schedule of lanes, and of users that join: the contract's "Steps and lanes".</summary>
public sealed class LaneSchedule
{
    private readonly Schedule _schedule;
    private readonly long _operationNs;

    /// <summary>The schedule of a spec; without steps it has one lane, and so many users.</summary>
    public LaneSchedule(Spec spec, int users = 1)
        : this(spec.Schedule, spec.Limits.OperationNs, spec.Parameters, users)
    {
    }

    private LaneSchedule(Schedule schedule, long operationNs, Fields parameters, int users)
    {
        _schedule = schedule;
        _operationNs = operationNs;
        Steps = schedule.Steps.Count == 0
            ? [new Step("", 0, schedule.Count, 0, users, 1, 0, parameters)]
            : schedule.Steps;
    }

    /// <summary>True where lanes wait for their results. Batches, whose loop is closed too, have no lanes.</summary>
    public bool Closed => _schedule.Closed && _schedule.Steps.Count > 0;

    /// <summary>The steps; of a schedule that has none, one for all of its ticks.</summary>
    public IReadOnlyList<Step> Steps { get; }

    /// <summary>Lanes of the step that has most.</summary>
    public int Lanes => Steps.Max(step => step.Lanes);

    /// <summary>Users of the step that has most.</summary>
    public int Users => Steps.Max(step => step.Users);

    /// <summary>Nanoseconds after the start within which everything due has ended, or is given up.</summary>
    public long EndNs => (long)Int128.Min(
        (Int128)_schedule.FirstNs + _schedule.AtMostNs(_schedule.Count, _operationNs), long.MaxValue);

    /// <summary>Nanoseconds that so many ticks of a closed loop may take.</summary>
    public long AtMostNs(long ticks) => _schedule.AtMostNs(ticks, _operationNs);

    /// <summary>The ticks of a lane, in their order; none where no step has it.</summary>
    public IEnumerable<Due> DueTurns(int lane)
    {
        int before = 0;
        foreach (Step step in Steps)
        {
            // Lanes that a step adds are due when it has settled.
            long first = lane < before ? step.First : step.First + step.Settle;
            long end = lane < step.Lanes ? step.First + step.Count : first;
            for (long tick = first; tick < end; tick++)
            {
                if (_schedule.InCycle(lane, tick))
                {
                    yield return new Due(step, tick, _schedule.IntendedNs(lane, tick));
                }
            }
            before = step.Lanes;
        }
    }

    /// <summary>Step and time at which a user of an open loop is to connect; null where no step has it.</summary>
    public Join? JoinOf(int user)
    {
        int before = 0;
        foreach (Step step in Steps)
        {
            if (user < step.Users)
            {
                long beginNs = _schedule.FirstNs + step.First * _schedule.PeriodNs;
                return new Join(step, beginNs + step.JoinsAfterNs(user - before, step.Users - before));
            }
            before = step.Users;
        }
        return null;
    }
}

/// <summary>A tick at which a lane is due, so many nanoseconds after the start.</summary>
public readonly record struct Due(Step Step, long Tick, long AfterNs);

/// <summary>The connecting of a user that a step adds, so many nanoseconds after the start.</summary>
public sealed record Join(Step Step, long AfterNs);
