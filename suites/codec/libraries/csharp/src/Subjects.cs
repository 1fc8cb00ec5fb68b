using System.Text.Json;
using System.Text.Json.Nodes;
using Wirelab.Batches;

namespace Codec;

/// <summary>One step's work: the loops that it has, and its answers.</summary>
public abstract class Subject(string step, int size)
{
    /// <summary>The name of the step.</summary>
    public string Step => step;

    /// <summary>Instances in its pool.</summary>
    public int Size => size;

    /// <summary>The operations that it has.</summary>
    public abstract IReadOnlyList<string> Operations { get; }

    /// <summary>Whether there is anything to answer; a baseline has nothing.</summary>
    public virtual bool Answers => true;

    /// <summary>Whether what was decoded lasts only until the next one.</summary>
    public virtual bool Passing => false;

    /// <summary>A loop of an operation that shares no compiled code with any other.</summary>
    public abstract Loop Loop(string operation);

    /// <summary>A copy of the encoding of an instance.</summary>
    public virtual byte[] Encode(int instance) => throw new NotSupportedException("nothing is encoded");

    /// <summary>Decodes now; what was decoded is read when it is asked for.</summary>
    public virtual Func<JsonNode?> Decode(byte[] content) =>
        throw new NotSupportedException("nothing is decoded");

    /// <summary>The instances of a shape, from its file in the folder of the suite.</summary>
    public static JsonElement[] Pool(string suite, string step)
    {
        byte[] content = File.ReadAllBytes(Path.Combine(suite, "shapes", $"{step}.json"));
        return [.. JsonDocument.Parse(content).RootElement.GetProperty("pool").EnumerateArray()];
    }

    protected ArgumentException Unknown(string operation) => new($"{step} has no operation {operation}");
}

/// <summary>A step of a codec of native values.</summary>
internal sealed class NativeSubject<TCodec, TShape, N>(string step, N[] pool, TCodec codec)
    : Subject(step, pool.Length)
    where TCodec : struct, INativeCodec<N>
    where TShape : struct, IShape<N>
{
    public override IReadOnlyList<string> Operations => ["encode", "decode", "round_trip", "round_trip_unused"];

    public override Loop Loop(string operation) => operation switch
    {
        "encode" => new EncodeLoop<TCodec, TShape, N>(codec, pool),
        "decode" => new DecodeLoop<TCodec, TShape, N>(
            codec, [.. Enumerable.Range(0, Size).Select(i => new ArraySegment<byte>(Encode(i)))]),
        "round_trip" => new RoundTripLoop<TCodec, TShape, N>(codec, pool),
        "round_trip_unused" => new UnusedRoundTripLoop<TCodec, TShape, N>(codec, pool),
        _ => throw Unknown(operation),
    };

    public override byte[] Encode(int instance) => [.. codec.Encode(pool[instance])];

    public override Func<JsonNode?> Decode(byte[] content)
    {
        N value = codec.Decode(content);
        return () => default(TShape).Written(value);
    }
}

/// <summary>A step of a codec with messages; <paramref name="make"/> makes one with messages of its own.</summary>
internal sealed class MessageSubject<TCodec, TShape, N, M>(
    string step, N[] pool, Func<TCodec> make, bool passing)
    : Subject(step, pool.Length)
    where TCodec : struct, IMessageCodec<N, M>
    where TShape : struct, IShape<N>
{
    private readonly TCodec _codec = make();

    public override IReadOnlyList<string> Operations =>
        ["to_message", "encode", "decode", "from_message", "round_trip", "round_trip_unused"];

    public override bool Passing => passing;

    public override Loop Loop(string operation) => operation switch
    {
        "to_message" => new ToMessageLoop<TCodec, TShape, N, M>(_codec, pool),
        "encode" => new EncodeMessageLoop<TCodec, TShape, N, M>(
            _codec, Messages((codec, instance) => codec.ToMessage(pool[instance]))),
        "decode" => new DecodeMessageLoop<TCodec, TShape, N, M>(
            _codec, [.. Enumerable.Range(0, Size).Select(i => new ArraySegment<byte>(Encode(i)))]),
        "from_message" => new FromMessageLoop<TCodec, TShape, N, M>(
            _codec, Messages((codec, instance) => codec.Decode(Encode(instance)))),
        "round_trip" => new MessageRoundTripLoop<TCodec, TShape, N, M>(_codec, pool),
        "round_trip_unused" => new UnusedMessageRoundTripLoop<TCodec, TShape, N, M>(_codec, pool),
        _ => throw Unknown(operation),
    };

    public override byte[] Encode(int instance) => [.. _codec.Encode(_codec.ToMessage(pool[instance]))];

    public override Func<JsonNode?> Decode(byte[] content)
    {
        M message = _codec.Decode(content);
        return () => default(TShape).Written(_codec.FromMessage(message));
    }

    /// <summary>A message of each instance, by a codec of its own, so that none is filled again.</summary>
    private M[] Messages(Func<TCodec, int, M> of) =>
        [.. Enumerable.Range(0, Size).Select(instance => of(make(), instance))];
}
