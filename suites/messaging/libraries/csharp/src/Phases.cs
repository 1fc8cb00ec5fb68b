using Wirelab.Lanes;

namespace Wirelab.Messaging;

/// <summary>The messages of a call: the sequence of the first one, bytes of each, and how many.</summary>
internal readonly record struct Numbered(long Sequence, int Size, int Count);

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
    private readonly int _perTick;
    private readonly int _preflightSize;
    private readonly Owed _owed;
    private readonly Dictionary<string, (int Place, int Size)> _known = [];

    public Phases(Spec spec, LaneSchedule schedule, Deliveries deliveries)
    {
        _schedule = schedule;
        _deliveries = deliveries;
        _main = spec.Operations.FirstOrDefault(one => one.Name == "send")
            ?? spec.Operations.First(one => one.Name == "echo");
        Streams = spec.Parameters.Has("messages");
        _perTick = Streams ? spec.Parameters.Within("messages", 1, int.MaxValue) : 1;
        foreach (Step step in schedule.Steps)
        {
            _known[step.Name] = (_known.Count, MessageBytes(step.Parameters));
        }
        _preflightSize = MessageBytes(spec.Parameters);
        _owed = Owed.Within(schedule.Steps, _perTick);
    }

    /// <summary>True where a tick is one of a stream, whose messages do not wait for each other.</summary>
    public bool Streams { get; }

    public bool Complete => _deliveries.Complete;

    public long LastNs => _deliveries.LastNs;

    public long? CompletedNs(int user) => _deliveries.CompletedNs(user);

    /// <summary>The messages of a call as their sender numbers them, in its phase and within that.</summary>
    public Numbered Numbered(LaneCall call)
    {
        if (call.Phase == Phase.Preflight)
        {
            return new Numbered(PreflightSequence + call.Tick, _preflightSize, 1);
        }
        (int place, int size) = _known[call.Step.Name];
        if (!_schedule.Closed)
        {
            return new Numbered(call.Tick * _perTick, size, _perTick);
        }
        bool counts = call.Tick >= CountsFrom(call.Step);
        long first = counts ? CountsFrom(call.Step) : call.Step.First;
        return new Numbered(PhaseOf(place, counts) << 32 | (call.Tick - first) * _perTick, size, _perTick);
    }

    /// <summary>Begins the only phase of an open loop.</summary>
    public void Begin()
    {
        Step last = _schedule.Steps[^1];
        long all = (last.First + last.Count) * _perTick;
        _deliveries.Begin(0, true, last, _known[last.Name].Size, last.Users, all, _perTick, all, _owed);
    }

    public void Begin(Step step, bool counts)
    {
        // What was counted belongs to the step that is still said to be under way.
        _deliveries.Write(all: true);
        long from = counts ? CountsFrom(step) : step.First;
        long to = counts ? step.First + step.Count : CountsFrom(step);
        long due = (to + _main.Every - 1) / _main.Every - (from + _main.Every - 1) / _main.Every;
        (int place, int size) = _known[step.Name];
        _deliveries.Begin(
            PhaseOf(place, counts), counts, step, size, step.Lanes, (to - from) * _perTick, _perTick,
            due * _perTick, Owed.Everything(step.Users));
    }

    /// <summary>Number of users to whom the messages of a call are owed, where they are for everybody.</summary>
    public int OwedTo(LaneCall call) => _schedule.Closed ? call.Step.Users : _owed.To(call.Tick * _perTick);

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
