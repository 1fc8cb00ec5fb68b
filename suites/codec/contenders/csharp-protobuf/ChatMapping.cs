using Codec;
using Google.Protobuf;
using Proto = Codec.Proto;

namespace Protobuf;

/// <summary>A message of a whiteboard.</summary>
internal readonly struct ChatMapping : IMapping<Chat, Proto.Chat>
{
    private static readonly Proto.Author Nobody = new();

    public MessageParser<Proto.Chat> Parser => Proto.Chat.Parser;

    public void Fill(Proto.Chat message, Chat value)
    {
        message.Id = value.Id;
        message.Sent = value.Sent;
        message.Board = value.Board;
        message.Author = new Proto.Author
        {
            Id = value.Author.Id,
            Name = value.Author.Name,
            Active = value.Author.Active,
        };
        message.Text = value.Text;
        message.Mentions.AddRange(value.Mentions);
        foreach (Stroke stroke in value.Strokes)
        {
            message.Strokes.Add(Filled(stroke));
        }
    }

    public void Clear(Proto.Chat message)
    {
        message.Id = "";
        message.Sent = 0;
        message.Board = "";
        message.Author = null;
        message.Text = "";
        message.Mentions.Clear();
        message.Strokes.Clear();
    }

    public Chat Native(Proto.Chat message)
    {
        Proto.Author author = message.Author ?? Nobody;
        var strokes = new List<Stroke>(message.Strokes.Count);
        foreach (Proto.Stroke stroke in message.Strokes)
        {
            strokes.Add(Native(stroke));
        }
        return new Chat
        {
            Id = message.Id,
            Sent = message.Sent,
            Board = message.Board,
            Author = new Author { Id = author.Id, Name = author.Name, Active = author.Active },
            Text = message.Text,
            Mentions = [.. message.Mentions],
            Strokes = strokes,
        };
    }

    public uint Fold(Proto.Chat message)
    {
        Proto.Author author = message.Author ?? Nobody;
        uint sum = 3u * Codec.Fold.Of(message.Id) + 5u * (uint)message.Sent + 7u * Codec.Fold.Of(message.Board)
            + 9u * author.Id + 11u * Codec.Fold.Of(author.Name) + 13u * Codec.Fold.Of(author.Active)
            + 15u * Codec.Fold.Of(message.Text)
            + Codec.Fold.Length * (uint)(message.Mentions.Count + message.Strokes.Count)
            + Codec.Fold.Of(message.Mentions);
        foreach (Proto.Stroke stroke in message.Strokes)
        {
            sum += 17u * Codec.Fold.Of(stroke.Color) + 19u * Codec.Fold.Of(stroke.Width);
            foreach (Proto.Position point in stroke.Points)
            {
                sum += 21u * (uint)point.X + 23u * (uint)point.Y;
            }
        }
        return sum;
    }

    private static Proto.Stroke Filled(Stroke value)
    {
        var stroke = new Proto.Stroke { Color = value.Color, Width = value.Width };
        foreach (Position point in value.Points)
        {
            stroke.Points.Add(new Proto.Position { X = point.X, Y = point.Y });
        }
        return stroke;
    }

    private static Stroke Native(Proto.Stroke message)
    {
        var points = new List<Position>(message.Points.Count);
        foreach (Proto.Position point in message.Points)
        {
            points.Add(new Position { X = point.X, Y = point.Y });
        }
        return new Stroke { Color = message.Color, Width = message.Width, Points = points };
    }
}
