using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>The parts of a trial in which operations are performed: before <c>ready</c>, and the ticks.</summary>
public enum Phase
{
    Preflight,
    Measure,
}

/// <summary>An operation of a phase.</summary>
public readonly record struct Turn(Phase Phase, long Index);

/// <summary>
/// A call that only has to be sent: what needs preparing was prepared. Its task completes as soon as the caller has
/// the decoded answer and has looked at the status of every item, on whatever thread that is.
/// </summary>
public delegate Task<Outcome> Request();

/// <summary>A client library under test, as <see cref="PacedClient"/> drives it.</summary>
public interface IClient
{
    /// <summary>The operations of the scenario that this client can do, without <c>connect</c>.</summary>
    IReadOnlyCollection<string> Operations { get; }

    /// <summary>Name and version of the library.</summary>
    (string Name, string Version) Library { get; }

    /// <summary>Abilities of this client, in the contract's words.</summary>
    IReadOnlyCollection<string> Capabilities { get; }

    /// <summary>True once a connection was made; the library keeps it up from there on, where it can.</summary>
    bool Connected { get; }

    /// <summary>Prepares a call of <paramref name="operation"/>, outside the timed part.</summary>
    Request Prepare(string operation, Turn turn);

    /// <summary>Prepares the call that connects.</summary>
    Request PrepareConnect();

    /// <summary>
    /// Outcome of a failed call, as it is recorded and said; <paramref name="thrown"/> is the library's.
    /// </summary>
    Outcome Failed(Exception thrown);

    /// <summary>Begins to disconnect, without waiting.</summary>
    Task Disconnect();
}

/// <summary>A server library under test, as <see cref="ServingPart"/> runs it.</summary>
public interface IServer
{
    /// <summary>Name and version of the library.</summary>
    (string Name, string Version) Library { get; }

    /// <summary>The address it really got, in the form that its clients connect to.</summary>
    string Endpoint { get; }

    /// <summary>Facts that later roles and the verifier should know of it.</summary>
    JsonObject Facts { get; }

    /// <summary>Ends every connection and frees the port; given up when it takes too long.</summary>
    Task Close();
}
