using Wirelab;

namespace OpcUa;

/// <summary>A client library as many callers at a time use it; members are entered by several threads.</summary>
public interface ICallers
{
    /// <summary>Name and version of the library.</summary>
    (string Name, string Version) Library { get; }

    /// <summary>Abilities of this client, in the contract's words.</summary>
    IReadOnlyCollection<string> Capabilities { get; }

    /// <summary>Makes ready what opening a session needs, such as the server's endpoint.</summary>
    Task Prepare();

    /// <summary>Opens a session with a channel of its own.</summary>
    Task<ICallerSession> Open();

    /// <summary>
    /// Outcome of a failed call, as it is recorded and said; <paramref name="thrown"/> is the library's.
    /// </summary>
    Outcome Failed(Exception thrown);
}

/// <summary>A session of one caller, or of all of them.</summary>
public interface ICallerSession
{
    /// <summary>Reads the nodes of <see cref="NodeLists.Reads"/>, and looks at the status of every item.</summary>
    Task<Outcome> Read();

    /// <summary>Leaves the server.</summary>
    Task Close();
}
