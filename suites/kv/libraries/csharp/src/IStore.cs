namespace Wirelab.Kv;

/// <summary>A client of one database, which all lanes of a trial share.</summary>
/// <typeparam name="TMultiGet">A multi-get in the library's own form.</typeparam>
public interface IStore<TMultiGet>
{
    /// <summary>Name and version of the library.</summary>
    (string Name, string Version) Library { get; }

    /// <summary>Connects; called again only where it has failed.</summary>
    Task Connect(CancellationToken limit);

    /// <summary>Puts a multi-get into the library's form, before anything is timed.</summary>
    TMultiGet Prepare(int set, string[] keys);

    /// <summary>
    /// Asks for a multi-get; it ends when that is decoded: a row a key in the order asked, null where there is no
    /// record. Several may be under way.
    /// </summary>
    Task<Row?[]> Read(TMultiGet multiGet, CancellationToken limit);

    /// <summary>Status with which a failure that this library threw is recorded.</summary>
    Status StatusOf(Exception thrown);

    /// <summary>The library's own name for the status of a failure; empty where it has none.</summary>
    string NameOf(Exception thrown) => "";

    /// <summary>Gives the connections back; a store that never connected has nothing to close.</summary>
    ValueTask Close();
}
