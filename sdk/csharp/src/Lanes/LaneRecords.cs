namespace Wirelab.Lanes;

/// <summary>Records what lanes did.</summary>
internal sealed class LaneRecords(Worker worker)
{
    private const double MillisecondNs = 1e6;

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
    }

    /// <summary>Results that are kept of a lane for answers that are asked for.</summary>
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

    /// <summary>Writes the answer of a call that nobody has to ask for.</summary>
    public void WriteAnswer(LaneCall call, Outcome outcome) =>
        worker.Answer(
            call.Phase.ToString().ToLowerInvariant(), call.Operation.Name, call.Tick, call.StartNs, call.EndNs,
            outcome.Answer!());
}
