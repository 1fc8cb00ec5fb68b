using Codec;

namespace Cgd;

/// <summary>A message of a whiteboard.</summary>
internal readonly struct ChatCodec : INativeCodec<Chat>
{
    private const int Point = 2 * sizeof(int);
    private const int LeastStroke = CgdSize.EmptyString + sizeof(double) + CgdSize.Count;

    public ArraySegment<byte> Encode(Chat value)
    {
        var writer = new CgdWriter(SizeOf(value));
        writer.Append(value.Id);
        writer.Append(value.Sent);
        writer.Append(value.Board);
        writer.Append(value.Author.Id);
        writer.Append(value.Author.Name);
        writer.Append(value.Author.Active);
        writer.Append(value.Text);
        writer.Append(value.Mentions);
        writer.Append(value.Strokes.Count);
        foreach (Stroke stroke in value.Strokes)
        {
            writer.Append(stroke.Color);
            writer.Append(stroke.Width);
            writer.Append(stroke.Points.Count);
            foreach (Position point in stroke.Points)
            {
                writer.Append(point.X);
                writer.Append(point.Y);
            }
        }
        return writer.Bytes;
    }

    public Chat Decode(ArraySegment<byte> bytes)
    {
        var reader = new CgdReader(bytes);
        return new Chat
        {
            Id = reader.ExtractString(),
            Sent = reader.Extract<long>(),
            Board = reader.ExtractString(),
            Author = new Author
            {
                Id = reader.Extract<uint>(),
                Name = reader.ExtractString(),
                Active = reader.ExtractFlag(),
            },
            Text = reader.ExtractString(),
            Mentions = reader.ExtractStrings(),
            Strokes = Strokes(ref reader),
        };
    }

    private static List<Stroke> Strokes(ref CgdReader reader)
    {
        int count = reader.ExtractCount(LeastStroke);
        var strokes = new List<Stroke>(count);
        for (int i = 0; i < count; i++)
        {
            strokes.Add(new Stroke
            {
                Color = reader.ExtractString(),
                Width = reader.Extract<double>(),
                Points = Points(ref reader),
            });
        }
        return strokes;
    }

    private static List<Position> Points(ref CgdReader reader)
    {
        int count = reader.ExtractCount(Point);
        var points = new List<Position>(count);
        for (int i = 0; i < count; i++)
        {
            points.Add(new Position { X = reader.Extract<int>(), Y = reader.Extract<int>() });
        }
        return points;
    }

    private static int SizeOf(Chat value)
    {
        int size = CgdSize.Of(value.Id) + sizeof(long) + CgdSize.Of(value.Board) + sizeof(uint)
            + CgdSize.Of(value.Author.Name) + sizeof(bool) + CgdSize.Of(value.Text)
            + CgdSize.Of(value.Mentions) + CgdSize.Count;
        foreach (Stroke stroke in value.Strokes)
        {
            size += CgdSize.Of(stroke.Color) + sizeof(double) + CgdSize.Count + Point * stroke.Points.Count;
        }
        return size;
    }
}
