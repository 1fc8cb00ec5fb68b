using System.Collections.Concurrent;

namespace Wirelab.Lanes;

/// <summary>Records what lanes did. Announced answers wait until nothing is under way.</summary>
internal sealed class LaneRecords(Worker worker)
{
    private const double MillisecondNs = 1e6;

    private readonly ConcurrentQueue<(LaneCall Call, Outcome Outcome)> _answered = [];

    /// <summary>Records a call of the measurement, and says what went wrong with it. From any thread.</summary>
    public void Keep(LaneCall call, Outcome outcome)
    {
        if (call.IsRecorded)
        {
            worker.Recorder.Record(
                call.IntendedNs, call.StartNs, call.EndNs, outcome.Size, call.Operation.Code,
                (byte)outcome.Status, (ushort)call.Lane);
        }
        foreach (Fault fault in outcome.Faults)
        {
            worker.Events.Error(fault, call.Operation.Name, call.IntendedNs, call.EndNs);
        }
        if (worker.Spec.IsAnnounced && outcome.Answer is not null && IsWanted(call))
        {
            _answered.Enqueue((call, outcome));
        }
    }

    /// <summary>What is kept of a lane for answers that are asked for.</summary>
    public Asked.Kept KeptOf(int lane) => worker.Asked.Lane(lane);

    /// <summary>Records a call that has no end, or that nobody begins any more.</summary>
    public void GiveUp(LaneCall call, bool begun)
    {
        LaneCall over = call.GivenUp(begun);
        string said = begun
            ? $"no end after {(over.EndNs - over.StartNs) / MillisecondNs:F0} ms"
            : "not begun when time was up";
        Keep(over, Outcome.Failed(Status.Timeout, new Fault(Scope.Call, "GivenUp", "", said)));
    }

    /// <summary>Records that a user got what a step was to bring to it, or did not.</summary>
    public void KeepReceipt(Operation operation, int user, long beginNs, long endNs, Status status) =>
        worker.Recorder.Record(beginNs, beginNs, endNs, 0, operation.Code, (byte)status, (ushort)user);

    /// <summary>Writes the answers kept so far.</summary>
    public void WriteAnswers()
    {
        lock (_answered)
        {
            while (_answered.TryDequeue(out (LaneCall Call, Outcome Outcome) next))
            {
                WriteAnswer(next.Call, next.Outcome);
            }
        }
    }

    /// <summary>Writes the answer of a call.</summary>
    public void WriteAnswer(LaneCall call, Outcome outcome) =>
        worker.Answer(
            call.Phase.ToString().ToLowerInvariant(), call.Operation.Name, call.Tick, call.StartNs, call.EndNs,
            outcome.Answer!());

    private bool IsWanted(LaneCall call) =>
        call.Tick % call.Step.Lanes == call.Lane && worker.Spec.Verify.Wants(call.Operation.Name, call.Tick);
}
