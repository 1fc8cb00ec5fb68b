using System.Text.Json;
using System.Text.Json.Nodes;

namespace Codec;

/// <summary>A message of a whiteboard.</summary>
public readonly partial struct ChatShape : IShape<Chat>
{
    public Chat Read(JsonElement instance)
    {
        JsonElement author = instance.GetProperty("author");
        return new Chat
        {
            Id = instance.GetProperty("id").GetString()!,
            Sent = instance.GetProperty("sent").GetInt64(),
            Board = instance.GetProperty("board").GetString()!,
            Author = new Author
            {
                Id = author.GetProperty("id").GetUInt32(),
                Name = author.GetProperty("name").GetString()!,
                Active = author.GetProperty("active").GetBoolean(),
            },
            Text = instance.GetProperty("text").GetString()!,
            Mentions = Neutral.Strings(instance.GetProperty("mentions")),
            Strokes = instance.GetProperty("strokes").EnumerateArray().Select(ReadStroke).ToList(),
        };
    }

    public JsonNode? Written(Chat value) => new JsonObject
    {
        ["id"] = value.Id,
        ["sent"] = value.Sent,
        ["board"] = value.Board,
        ["author"] = value.Author is null ? null : new JsonObject
        {
            ["id"] = value.Author.Id,
            ["name"] = value.Author.Name,
            ["active"] = value.Author.Active,
        },
        ["text"] = value.Text,
        ["mentions"] = Neutral.Of(value.Mentions, one => one),
        ["strokes"] = Neutral.Of(value.Strokes, stroke => new JsonObject
        {
            ["color"] = stroke.Color,
            ["width"] = Neutral.Of(stroke.Width),
            ["points"] = Neutral.Of(
                stroke.Points, point => new JsonObject { ["x"] = point.X, ["y"] = point.Y }),
        }),
    };

    public uint Fold(Chat value)
    {
        List<Stroke> strokes = value.Strokes;
        uint sum = 3u * Codec.Fold.Of(value.Id) + 5u * (uint)value.Sent + 7u * Codec.Fold.Of(value.Board)
            + 9u * value.Author.Id + 11u * Codec.Fold.Of(value.Author.Name)
            + 13u * Codec.Fold.Of(value.Author.Active) + 15u * Codec.Fold.Of(value.Text)
            + Codec.Fold.Length * (uint)(value.Mentions.Count + strokes.Count) + Codec.Fold.Of(value.Mentions);
        for (int i = 0; i < strokes.Count; i++)
        {
            sum += Folded(strokes[i]);
        }
        return sum;
    }

    private static uint Folded(Stroke stroke)
    {
        uint sum = 17u * Codec.Fold.Of(stroke.Color) + 19u * Codec.Fold.Of(stroke.Width);
        List<Position> points = stroke.Points;
        for (int i = 0; i < points.Count; i++)
        {
            sum += 21u * (uint)points[i].X + 23u * (uint)points[i].Y;
        }
        return sum;
    }

    private static Stroke ReadStroke(JsonElement stroke) => new()
    {
        Color = stroke.GetProperty("color").GetString()!,
        Width = stroke.GetProperty("width").GetDouble(),
        Points = stroke.GetProperty("points").EnumerateArray().Select(point => new Position
        {
            X = point.GetProperty("x").GetInt32(),
            Y = point.GetProperty("y").GetInt32(),
        }).ToList(),
    };
}
