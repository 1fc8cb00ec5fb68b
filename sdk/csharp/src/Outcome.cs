using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>End of a timed operation: the status byte of its record, as the contract numbers it.</summary>
public enum Status : byte
{
    Ok = 0,
    Error = 1,
    Timeout = 2,
    Disconnected = 3,
    Refused = 4,
    ItemError = 5,
    WrongAnswer = 6,
    Unsupported = 7,
}

/// <summary>Result of a call.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Faults">What went wrong: of a failed call one of scope call, else one for each bad item.</param>
/// <param name="Size">The payload in bytes where the client knows it, else 0.</param>
/// <param name="Answer">The exact answer in the suite's form, made only when it is to be written.</param>
public sealed record Outcome(
    Status Status, IReadOnlyList<Fault> Faults, long Size = 0, Func<JsonObject>? Answer = null)
{
    /// <summary>A call that succeeded and has no answer to verify.</summary>
    public static readonly Outcome Ok = new(Status.Ok, []);

    /// <summary>A call whose items were all looked at; <paramref name="faults"/> holds those that are bad.</summary>
    public static Outcome Answered(IReadOnlyList<Fault> faults, Func<JsonObject> answer) =>
        new(faults.Count == 0 ? Status.Ok : Status.ItemError, faults, 0, answer);

    /// <summary>A call that failed, whatever the library calls it: nothing that failed is <c>Ok</c>.</summary>
    public static Outcome Failed(Status status, Fault fault) =>
        new(status == Status.Ok ? Status.Error : status, [fault]);
}
