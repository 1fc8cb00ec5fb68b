using System.Text.Json.Nodes;
using Wirelab;

namespace Codec;

/// <summary>The answers of a step that come before its loops.</summary>
internal sealed class Preflight(Subject subject, LineFile answers)
{
    private const byte Overwritten = 0xAA;

    public void Give()
    {
        int size = subject.Size;
        var encodings = new byte[]?[size];
        for (int tick = 0; tick < 2 * size; tick++)
        {
            int instance = tick < size ? tick : 2 * size - 1 - tick;
            var answer = new Answer("preflight", "encode", subject.Step, tick);
            byte[]? encoding = answer.Timed(() => subject.Encode(instance));
            if (encoding is not null)
            {
                answer.Line["answer"] = new JsonObject { ["hex"] = Convert.ToHexString(encoding).ToLowerInvariant() };
                encodings[instance] = encoding;
            }
            answers.Write(answer.Line);
        }
        Decode(encodings);
    }

    /// <summary>
    /// Values are written when all encodings have been decoded and overwritten, so that one that still needs its
    /// bytes shows; what is passing by design is written before either.
    /// </summary>
    private void Decode(byte[]?[] encodings)
    {
        var given = new List<(Answer Answer, Func<JsonNode?>? Decoded)>();
        for (int tick = 0; tick < encodings.Length; tick++)
        {
            byte[] encoding = encodings[tick] ?? [];
            var answer = new Answer("preflight", "decode", subject.Step, tick);
            Func<JsonNode?>? decoded = answer.Timed(() => subject.Decode(encoding));
            given.Add((answer, decoded));
            if (subject.Passing && decoded is not null)
            {
                answer.Value(decoded);
            }
        }
        foreach (byte[]? encoding in encodings)
        {
            encoding.AsSpan().Fill(Overwritten);
        }
        foreach ((Answer answer, Func<JsonNode?>? decoded) in given)
        {
            if (!subject.Passing && decoded is not null)
            {
                answer.Value(decoded);
            }
            answers.Write(answer.Line);
        }
    }
}
