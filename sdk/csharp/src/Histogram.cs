using System.Buffers.Binary;
using System.IO.Compression;
using System.Numerics;

namespace Wirelab;

/// <summary>
/// A distribution of durations between 1 us and 120 s with three significant digits, as the interval file has it:
/// an HdrHistogram in its encoding V2. For one thread at a time.
/// </summary>
public sealed class Histogram
{
    private const long LowestNs = 1_000;
    private const long HighestNs = 120_000_000_000;
    private const int Digits = 3;

    /// <summary>Bits below the lowest duration.</summary>
    private const int Unit = 9;

    /// <summary>Bits of half of a bucket: 2,048 parts for three digits.</summary>
    private const int Half = 10;

    private const uint Cookie = 0x1c849313;
    private const uint CompressedCookie = 0x1c849314;
    private const int HeaderBytes = 40;

    private long[] _counts = new long[1 << Half];
    private int _used;

    /// <summary>Durations counted.</summary>
    public long Count { get; private set; }

    /// <summary>Counts a duration; what is out of bounds counts as the nearest bound.</summary>
    public void Add(long ns)
    {
        int at = PlaceOf(Math.Clamp(ns, 0, HighestNs));
        if (at >= _counts.Length)
        {
            Array.Resize(ref _counts, Math.Max(at + 1, 2 * _counts.Length));
        }
        _counts[at]++;
        _used = Math.Max(_used, at + 1);
        Count++;
    }

    /// <summary>Its encoding V2, compressed, in base64.</summary>
    public string Encoded()
    {
        using var packed = new MemoryStream();
        using (var zlib = new ZLibStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            zlib.Write(Payload());
        }
        byte[] encoded = new byte[8 + packed.Length];
        BinaryPrimitives.WriteUInt32BigEndian(encoded, CompressedCookie);
        BinaryPrimitives.WriteInt32BigEndian(encoded.AsSpan(4), (int)packed.Length);
        packed.GetBuffer().AsSpan(0, (int)packed.Length).CopyTo(encoded.AsSpan(8));
        return Convert.ToBase64String(encoded);
    }

    private static int PlaceOf(long ns)
    {
        int bucket = BitOperations.Log2((ulong)ns | ((1UL << (Unit + Half + 1)) - 1)) - Unit - Half;
        return ((bucket + 1) << Half) + (int)(ns >> (bucket + Unit)) - (1 << Half);
    }

    /// <summary>The header and the counts; a run of counts that are zero is one negative number.</summary>
    private byte[] Payload()
    {
        var counts = new List<byte>(_used);
        for (int at = 0; at < _used; at++)
        {
            int zeros = 0;
            while (_counts[at + zeros] == 0)
            {
                zeros++;
            }
            AppendZigZag(counts, zeros > 0 ? -zeros : _counts[at]);
            at += Math.Max(0, zeros - 1);
        }
        byte[] payload = new byte[HeaderBytes + counts.Count];
        BinaryPrimitives.WriteUInt32BigEndian(payload, Cookie);
        BinaryPrimitives.WriteInt32BigEndian(payload.AsSpan(4), counts.Count);
        BinaryPrimitives.WriteInt32BigEndian(payload.AsSpan(12), Digits);
        BinaryPrimitives.WriteInt64BigEndian(payload.AsSpan(16), LowestNs);
        BinaryPrimitives.WriteInt64BigEndian(payload.AsSpan(24), HighestNs);
        BinaryPrimitives.WriteDoubleBigEndian(payload.AsSpan(32), 1.0);
        counts.CopyTo(payload, HeaderBytes);
        return payload;
    }

    /// <summary>Appends a number in groups of seven bits, the lowest first.</summary>
    private static void AppendZigZag(List<byte> bytes, long number)
    {
        ulong rest = (ulong)((number << 1) ^ (number >> 63));
        for (; rest > 0x7f; rest >>= 7)
        {
            bytes.Add((byte)(rest | 0x80));
        }
        bytes.Add((byte)rest);
    }
}
