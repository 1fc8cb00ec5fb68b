using CGDK;
using Codec;

namespace Original;

/// <summary>Ten primitives.</summary>
internal readonly struct T1Codec : INativeCodec<T1>
{
    private const int Size = 42;

    public ArraySegment<byte> Encode(T1 value)
    {
        var written = new buffer(Size);
        written.Append(value.C);
        written.Append(value.Uc);
        written.Append(value.I16);
        written.Append(value.U16);
        written.Append(value.I32);
        written.Append(value.U32);
        written.Append(value.I64);
        written.Append(value.U64);
        written.Append(value.F);
        written.Append(value.D);
        return written;
    }

    public T1 Decode(ArraySegment<byte> bytes)
    {
        var read = (buffer)bytes;
        return new T1
        {
            C = read.Extract<sbyte>(),
            Uc = read.Extract<byte>(),
            I16 = read.Extract<short>(),
            U16 = read.Extract<ushort>(),
            I32 = read.Extract<int>(),
            U32 = read.Extract<uint>(),
            I64 = read.Extract<long>(),
            U64 = read.Extract<ulong>(),
            F = read.Extract<float>(),
            D = read.Extract<double>(),
        };
    }
}

/// <summary>Eight strings.</summary>
internal readonly struct T2Codec : INativeCodec<T2>
{
    public ArraySegment<byte> Encode(T2 value)
    {
        var written = new buffer(
            Size.Of(value.S1) + Size.Of(value.S2) + Size.Of(value.S3) + Size.Of(value.S4)
            + Size.Of(value.S5) + Size.Of(value.S6) + Size.Of(value.S7) + Size.Of(value.S8));
        written.Append(value.S1);
        written.Append(value.S2);
        written.Append(value.S3);
        written.Append(value.S4);
        written.Append(value.S5);
        written.Append(value.S6);
        written.Append(value.S7);
        written.Append(value.S8);
        return written;
    }

    public T2 Decode(ArraySegment<byte> bytes)
    {
        var read = (buffer)bytes;
        return new T2
        {
            S1 = read.Text(),
            S2 = read.Text(),
            S3 = read.Text(),
            S4 = read.Text(),
            S5 = read.Text(),
            S6 = read.Text(),
            S7 = read.Text(),
            S8 = read.Text(),
        };
    }
}

/// <summary>A list, or a map of lists, which the library writes and reads as a whole.</summary>
internal readonly struct CollectionCodec<T> : INativeCodec<T>
{
    public ArraySegment<byte> Encode(T value)
    {
        var written = new buffer(Size.Of(value));
        written.Append(value);
        return written;
    }

    public T Decode(ArraySegment<byte> bytes) => ((buffer)bytes).Extract<T>()!;
}

/// <summary>A thousand points.</summary>
internal readonly struct TelemetryCodec : INativeCodec<Telemetry>
{
    private const int Point = sizeof(long) + sizeof(double) + sizeof(int);

    public ArraySegment<byte> Encode(Telemetry value)
    {
        var written = new buffer(sizeof(int) + Point * value.Points.Count);
        written.Append(value.Points.Count);
        foreach (TelemetryPoint point in value.Points)
        {
            written.Append(point.Time);
            written.Append(point.Value);
            written.Append(point.Quality);
        }
        return written;
    }

    public Telemetry Decode(ArraySegment<byte> bytes)
    {
        var read = (buffer)bytes;
        int count = read.Extract<int>();
        var points = new List<TelemetryPoint>(count);
        for (int i = 0; i < count; i++)
        {
            points.Add(new TelemetryPoint
            {
                Time = read.Extract<long>(),
                Value = read.Extract<double>(),
                Quality = read.Extract<int>(),
            });
        }
        return new Telemetry { Points = points };
    }
}

/// <summary>A message of a whiteboard.</summary>
internal readonly struct ChatCodec : INativeCodec<Chat>
{
    private const int Numbers = sizeof(long) + sizeof(uint) + sizeof(byte) + sizeof(int);
    private const int Point = 2 * sizeof(int);

    public ArraySegment<byte> Encode(Chat value)
    {
        var written = new buffer(SizeOf(value));
        written.Append(value.Id);
        written.Append(value.Sent);
        written.Append(value.Board);
        written.Append(value.Author.Id);
        written.Append(value.Author.Name);
        written.Append(value.Author.Active ? (byte)1 : (byte)0);
        written.Append(value.Text);
        written.Append(value.Mentions);
        written.Append(value.Strokes.Count);
        foreach (Stroke stroke in value.Strokes)
        {
            written.Append(stroke.Color);
            written.Append(stroke.Width);
            written.Append(stroke.Points.Count);
            foreach (Position point in stroke.Points)
            {
                written.Append(point.X);
                written.Append(point.Y);
            }
        }
        return written;
    }

    public Chat Decode(ArraySegment<byte> bytes)
    {
        var read = (buffer)bytes;
        return new Chat
        {
            Id = read.Text(),
            Sent = read.Extract<long>(),
            Board = read.Text(),
            Author = new Author
            {
                Id = read.Extract<uint>(),
                Name = read.Text(),
                Active = read.Extract<byte>() != 0,
            },
            Text = read.Text(),
            Mentions = read.Extract<List<string>>()!,
            Strokes = Strokes(ref read),
        };
    }

    private static List<Stroke> Strokes(ref buffer read)
    {
        int count = read.Extract<int>();
        var strokes = new List<Stroke>(count);
        for (int i = 0; i < count; i++)
        {
            strokes.Add(new Stroke
            {
                Color = read.Text(),
                Width = read.Extract<double>(),
                Points = Points(ref read),
            });
        }
        return strokes;
    }

    private static List<Position> Points(ref buffer read)
    {
        int count = read.Extract<int>();
        var points = new List<Position>(count);
        for (int i = 0; i < count; i++)
        {
            points.Add(new Position { X = read.Extract<int>(), Y = read.Extract<int>() });
        }
        return points;
    }

    private static int SizeOf(Chat value)
    {
        int size = Numbers + Size.Of(value.Id) + Size.Of(value.Board) + Size.Of(value.Author.Name)
            + Size.Of(value.Text) + Size.Of(value.Mentions);
        foreach (Stroke stroke in value.Strokes)
        {
            size += Size.Of(stroke.Color) + sizeof(double) + sizeof(int) + Point * stroke.Points.Count;
        }
        return size;
    }
}

/// <summary>Bytes that a value takes, which have to be there: the library writes beyond the end of a shorter buffer.</summary>
internal static class Size
{
    public static int Of<T>(T value) => buffer.GetSizeOf(value);

    /// <summary>Extracts a string that is not null.</summary>
    public static string Text(this ref buffer read) => read.Extract<string>()!;
}
