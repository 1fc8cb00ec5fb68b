using System.Text.Json.Nodes;

namespace Codec;

/// <summary>Records one after the other, to a file that keeps nothing and from one that repeats itself.</summary>
internal static class RecordStreams
{
    /// <summary>Bytes that go to a file at once, and come from one.</summary>
    private const int Chunk = 64 << 10;

    /// <summary>Writes the records so many times over.</summary>
    public static uint Write(ILargeCodec codec, TelemetryPoint[] records, int times, JsonObject told)
    {
        var ends = new EndsOfFile();
        using (var file = new BufferedStream(ends, Chunk))
        {
            Write(codec, records, times, file);
        }
        told["size"] = ends.Size;
        told["first"] = ends.First;
        told["last"] = ends.Last;
        return 7u * (uint)ends.Size + ends.First + 5u * ends.Last;
    }

    /// <summary>Function that reads them from a file that has them so many times.</summary>
    public static Func<JsonObject, uint> Reads(ILargeCodec codec, TelemetryPoint[] records, int times)
    {
        using var written = new MemoryStream();
        Write(codec, records, 1, written);
        byte[] block = written.ToArray();
        return told =>
        {
            uint sum = 0;
            using var file = new BufferedStream(new RepeatedBlock(block, times), Chunk);
            foreach (TelemetryPoint point in codec.Read(file))
            {
                sum += Fold.Length + 3u * (uint)point.Time + 5u * Fold.Of(point.Value) + 7u * (uint)point.Quality;
            }
            told["fold"] = sum;
            return sum;
        };
    }

    /// <summary>Adds the records in loops over an array: whoever goes through them is within what is timed.</summary>
    private static void Write(ILargeCodec codec, TelemetryPoint[] records, int times, Stream file)
    {
        using IRecordWriter writer = codec.Writer(file);
        for (int time = 0; time < times; time++)
        {
            foreach (TelemetryPoint record in records)
            {
                writer.Write(record);
            }
        }
    }
}

/// <summary>A stream in one direction, of which nothing else is asked.</summary>
internal abstract class OneWay : Stream
{
    public override bool CanRead => false;

    public override bool CanWrite => false;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}

/// <summary>A file that keeps nothing but its length, its first byte and its last one.</summary>
internal sealed class EndsOfFile : OneWay
{
    public override bool CanWrite => true;

    public long Size { get; private set; }

    public byte First { get; private set; }

    public byte Last { get; private set; }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> part)
    {
        if (part.Length > 0)
        {
            First = Size == 0 ? part[0] : First;
            Last = part[^1];
            Size += part.Length;
        }
    }
}

/// <summary>A file with the same bytes so many times, which takes the memory of one.</summary>
internal sealed class RepeatedBlock(byte[] block, int times) : OneWay
{
    private int _left = times;
    private int _at;

    public override bool CanRead => true;

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> room)
    {
        if (_left == 0)
        {
            return 0;
        }
        int copied = Math.Min(room.Length, block.Length - _at);
        block.AsSpan(_at, copied).CopyTo(room);
        _at += copied;
        if (_at == block.Length)
        {
            _at = 0;
            _left--;
        }
        return copied;
    }
}
