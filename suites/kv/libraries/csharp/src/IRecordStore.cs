namespace Wirelab.Kv;

/// <summary>
/// A store that has YCSB's user table as well: one record a call, of ten fields in order. Several calls may be under
/// way.
/// </summary>
/// <typeparam name="TMultiGet">A multi-get in the library's own form.</typeparam>
public interface IRecordStore<TMultiGet> : IStore<TMultiGet>
{
    /// <summary>All fields of a record; null where there is none.</summary>
    Task<byte[][]?> ReadRecord(string key, CancellationToken limit);

    /// <summary>Replaces a field of a record that is there.</summary>
    Task WriteRecord(string key, int field, byte[] value, CancellationToken limit);

    /// <summary>Makes a record that is not there.</summary>
    Task InsertRecord(string key, byte[][] values, CancellationToken limit);

    /// <summary>At most so many records from a key on, in the order of keys.</summary>
    Task<byte[][][]> ScanRecords(string key, int most, CancellationToken limit);

    /// <summary>
    /// Reads a record and replaces a field of what was read, which it returns. Where another one has written between,
    /// all of it is done again.
    /// </summary>
    Task<byte[][]?> ModifyRecord(string key, int field, byte[] value, CancellationToken limit);
}
