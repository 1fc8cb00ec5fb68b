using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;
using Wirelab;
using Wirelab.Kv;

DatabaseClients.Run(spec => new MemoryStore(spec));

/// <summary>
/// A store without a database, for the tests: it computes the records that the suite's README defines, which depend on
/// no secret here. Reads after so many have no end. Its user table is the file that the parameter <c>table</c> names, a
/// key and its fields a line; <c>fault</c> says what is wrong with it: writes are <c>dropped</c>, or changes are a
/// <c>lost-update</c>.
/// </summary>
internal sealed class MemoryStore(Spec spec) : IRecordStore<(int Set, ulong[] Keys)>
{
    private static readonly ulong[] Found = [0, 840, 895, 645, 575, 980, 760, 910, 0, 690];
    private static readonly ulong[] Cardinality = [100_000, 50_000, 20_000, 10_000, 3];

    private readonly long _ends = spec.Parameters.Integer("ends", long.MaxValue);
    private readonly string _fault = spec.Parameters.Text("fault", "");
    private readonly ConcurrentDictionary<string, byte[][]> _users = new();
    private long _reads;

    public (string Name, string Version) Library => ("memory", "1");

    public async Task Connect(CancellationToken limit)
    {
        if (!spec.Parameters.Has("table"))
        {
            return;
        }
        foreach (string line in await File.ReadAllLinesAsync(spec.Parameters.Text("table"), limit))
        {
            string[] parts = line.Split(' ');
            _users[parts[0]] = [.. parts.Skip(1).Select(Encoding.ASCII.GetBytes)];
        }
    }

    public (int Set, ulong[] Keys) Prepare(int set, string[] keys) =>
        (set, keys.Select(key => ulong.Parse(key.AsSpan(1))).ToArray());

    public async Task<Row?[]> Read((int Set, ulong[] Keys) multiGet, CancellationToken limit)
    {
        if (Interlocked.Increment(ref _reads) > _ends)
        {
            await new TaskCompletionSource().Task;
        }
        return multiGet.Keys.Select(key => RowOf(multiGet.Set, key)).ToArray();
    }

    public Task<byte[][]?> ReadRecord(string key, CancellationToken limit) =>
        Task.FromResult(_users.GetValueOrDefault(key));

    public Task WriteRecord(string key, int field, byte[] value, CancellationToken limit)
    {
        byte[][] found = _users[key];
        while (_fault != "dropped" && !_users.TryUpdate(key, With(found, field, value), found))
        {
            found = _users[key];
        }
        return Task.CompletedTask;
    }

    public Task InsertRecord(string key, byte[][] values, CancellationToken limit) =>
        _users.TryAdd(key, values) ? Task.CompletedTask : throw new InvalidOperationException($"{key} is there already");

    public Task<byte[][][]> ScanRecords(string key, int most, CancellationToken limit) =>
        Task.FromResult(_users.Where(one => string.CompareOrdinal(one.Key, key) >= 0)
            .OrderBy(one => one.Key, StringComparer.Ordinal).Take(most).Select(one => one.Value).ToArray());

    public async Task<byte[][]?> ModifyRecord(string key, int field, byte[] value, CancellationToken limit)
    {
        while (true)
        {
            byte[][] found = _users[key];
            await Task.Delay(1, limit);
            if (_users.TryUpdate(key, With(found, field, value), found))
            {
                return found;
            }
            if (_fault == "lost-update")
            {
                await WriteRecord(key, field, value, limit);
                return found;
            }
        }
    }

    public Status StatusOf(Exception thrown) => Network.StatusOf(thrown);

    public ValueTask Close() => ValueTask.CompletedTask;

    private static byte[][] With(byte[][] fields, int field, byte[] value)
    {
        byte[][] changed = [.. fields];
        changed[field] = value;
        return changed;
    }

    private static Row? RowOf(int set, ulong key)
    {
        if (Draw.Mix((ulong)set << 32 | key) % 1000 >= Found[set])
        {
            return null;
        }
        byte[] drawn = [.. Digest(set, key, 0), .. Digest(set, key, 1)];
        ulong Bin(int j) => BinaryPrimitives.ReadUInt64LittleEndian(drawn.AsSpan(8 * j));
        return new Row(
            Enumerable.Range(0, 5).Select(j => (long)(Bin(j) % Cardinality[j])).ToArray(),
            Enumerable.Range(5, 8).Select(j => (Bin(j) >> 11) * Math.Pow(2, -53)).ToArray());
    }

    private static byte[] Digest(int set, ulong key, int number)
    {
        Span<byte> message = stackalloc byte[16];
        BinaryPrimitives.WriteInt32LittleEndian(message, set);
        BinaryPrimitives.WriteUInt64LittleEndian(message[4..], key);
        BinaryPrimitives.WriteInt32LittleEndian(message[12..], number);
        return SHA512.HashData(message);
    }
}
