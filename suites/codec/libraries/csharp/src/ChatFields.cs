namespace Codec;

public readonly partial struct ChatShape
{
    private static readonly Element Line = new(sizeof(double), Texts: 1, Lists: 1);
    private static readonly Element Point = new(2 * sizeof(int));

    public void Write<TWriter>(ref TWriter writer, Chat value)
        where TWriter : struct, IFieldWriter
    {
        writer.Text(value.Id);
        writer.Number(value.Sent);
        writer.Text(value.Board);
        writer.Number(value.Author.Id);
        writer.Text(value.Author.Name);
        writer.Flag(value.Author.Active);
        writer.Text(value.Text);
        writer.Texts(value.Mentions);
        writer.Count(value.Strokes.Count, Line);
        foreach (Stroke stroke in value.Strokes)
        {
            writer.Text(stroke.Color);
            writer.Number(stroke.Width);
            if (!writer.Count(stroke.Points.Count, Point))
            {
                continue;
            }
            foreach (Position point in stroke.Points)
            {
                writer.Number(point.X);
                writer.Number(point.Y);
            }
        }
    }

    public Chat Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader => new()
        {
            Id = reader.Text(),
            Sent = reader.Number<long>(),
            Board = reader.Text(),
            Author = new Author
            {
                Id = reader.Number<uint>(),
                Name = reader.Text(),
                Active = reader.Flag(),
            },
            Text = reader.Text(),
            Mentions = reader.Texts(),
            Strokes = Strokes(ref reader),
        };

    private static List<Stroke> Strokes<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader
    {
        int count = reader.Count(Line);
        var strokes = new List<Stroke>(count);
        for (int i = 0; i < count; i++)
        {
            strokes.Add(new Stroke
            {
                Color = reader.Text(),
                Width = reader.Number<double>(),
                Points = Points(ref reader),
            });
        }
        return strokes;
    }

    private static List<Position> Points<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader
    {
        int count = reader.Count(Point);
        var points = new List<Position>(count);
        for (int i = 0; i < count; i++)
        {
            points.Add(new Position { X = reader.Number<int>(), Y = reader.Number<int>() });
        }
        return points;
    }
}
