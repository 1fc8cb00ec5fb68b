using Wirelab.Lanes;

namespace Wirelab.Messaging;

/// <summary>
/// The phases of a trial, in each of which the messages of a sender are numbered from 0: settling and what counts,
/// of every step of a closed loop; all of an open one.
/// </summary>
internal sealed class Phases : IArrivals
{
    /// <summary>Messages of the preflight are in no phase.</summary>
    private const long PreflightSequence = 1_000_000;

    private readonly LaneSchedule _schedule;
    private readonly Deliveries _deliveries;
    private readonly Operation _main;
    private readonly int _preflightSize;
    private readonly Dictionary<string, (int Place, int Size)> _known = [];

    public Phases(Spec spec, LaneSchedule schedule, Deliveries deliveries)
    {
        _schedule = schedule;
        _deliveries = deliveries;
        _main = spec.Operations.FirstOrDefault(one => one.Name == "send")
            ?? spec.Operations.First(one => one.Name == "echo");
        foreach (Step step in schedule.Steps)
        {
            _known[step.Name] = (_known.Count, MessageBytes(step.Parameters));
        }
        _preflightSize = MessageBytes(spec.Parameters);
    }

    public bool Complete => _deliveries.Complete;

    public long LastNs => _deliveries.LastNs;

    public long? CompletedNs(int user) => _deliveries.CompletedNs(user);

    /// <summary>The message of a call as its sender numbers it, in its phase and within that; and its bytes.</summary>
    public (long Sequence, int Size) Numbered(LaneCall call)
    {
        if (call.Phase == Phase.Preflight)
        {
            return (PreflightSequence + call.Tick, _preflightSize);
        }
        (int place, int size) = _known[call.Step.Name];
        if (!_schedule.Closed)
        {
            return (call.Tick, size);
        }
        bool counts = call.Tick >= CountsFrom(call.Step);
        long first = counts ? CountsFrom(call.Step) : call.Step.First;
        return (PhaseOf(place, counts) << 32 | call.Tick - first, size);
    }

    /// <summary>Begins the only phase of an open loop.</summary>
    public void Begin()
    {
        Step last = _schedule.Steps[^1];
        long ticks = last.First + last.Count;
        _deliveries.Begin(0, true, last, _known[last.Name].Size, last.Users, ticks, ticks);
    }

    public void Begin(Step step, bool counts)
    {
        // What was counted belongs to the step that is still said to be under way.
        _deliveries.Write(all: true);
        long from = counts ? CountsFrom(step) : step.First;
        long to = counts ? step.First + step.Count : CountsFrom(step);
        long due = (to + _main.Every - 1) / _main.Every - (from + _main.Every - 1) / _main.Every;
        (int place, int size) = _known[step.Name];
        _deliveries.Begin(PhaseOf(place, counts), counts, step, size, step.Lanes, to - from, due);
    }

    /// <summary>Bytes of a message of this step.</summary>
    public int BytesOf(Step step) => _known[step.Name].Size;

    /// <summary>The sequence of a message of this step that follows on those that were due.</summary>
    public long Promised(Step step, long number) =>
        _schedule.Closed ? PhaseOf(_known[step.Name].Place, counts: true) << 32 | number : number;

    private static int MessageBytes(Fields parameters) =>
        parameters.Within("message_bytes", Message.Header, int.MaxValue - 16);

    private static long PhaseOf(int place, bool counts) => 2L * place + (counts ? 2 : 1);

    private static long CountsFrom(Step step) => step.First + step.Settle;
}
