using System.Buffers.Binary;
using System.Security.Cryptography;
using Wirelab;
using Wirelab.Kv;

Clients.Run(spec => new Memory(spec));

/// <summary>
/// A store without a database, for the tests: it computes the records that the suite's README defines, which depend on
/// no secret here. Reads after so many have no end.
/// </summary>
internal sealed class Memory(Spec spec) : IStore<(int Set, ulong[] Keys)>
{
    private static readonly ulong[] Found = [0, 840, 895, 645, 575, 980, 760, 910, 0, 690];
    private static readonly ulong[] Cardinality = [100_000, 50_000, 20_000, 10_000, 3];

    private readonly long _ends = spec.Parameters.Integer("ends", long.MaxValue);
    private long _reads;

    public (string Name, string Version) Library => ("memory", "1");

    public Task Connect(CancellationToken limit) => Task.CompletedTask;

    public (int Set, ulong[] Keys) Prepare(int set, string[] keys) =>
        (set, keys.Select(key => ulong.Parse(key.AsSpan(1))).ToArray());

    public async Task<Row?[]> Read((int Set, ulong[] Keys) batch, CancellationToken limit)
    {
        if (Interlocked.Increment(ref _reads) > _ends)
        {
            await new TaskCompletionSource().Task;
        }
        return batch.Keys.Select(key => RowOf(batch.Set, key)).ToArray();
    }

    public Status StatusOf(Exception thrown) => Network.StatusOf(thrown);

    public ValueTask Close() => ValueTask.CompletedTask;

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
