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

    /// <summary>True where there is anything to answer; a baseline has nothing.</summary>
    public virtual bool Answers => true;

    /// <summary>True where what was decoded lasts only until the next one.</summary>
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
internal sealed class NativeSubject<TCodec, TShape, N>(string step, Instances<N> instances, TCodec codec)
    : Subject(step, instances.Values.Length)
    where TCodec : struct, INativeCodec<N>
    where TShape : struct, IShape<N>
{
    public override IReadOnlyList<string> Operations => ["encode", "decode", "round_trip", "round_trip_unused"];

    public override Loop Loop(string operation) => operation switch
    {
        "encode" => EncodeLoop(),
        "decode" => DecodeLoop(),
        "round_trip" => RoundTripLoop(),
        "round_trip_unused" => new UnusedRoundTripLoop<TCodec, TShape, N>(codec, instances.Values),
        _ => throw Unknown(operation),
    };

    public override byte[] Encode(int instance) => [.. codec.Encode(instances.Values[instance])];

    public override Func<JsonNode?> Decode(byte[] content)
    {
        N value = codec.Decode(content);
        return () => default(TShape).Written(value);
    }

    private EncodeLoop<TCodec, TShape, N> EncodeLoop()
    {
        var audit = new Audit<N, ArraySegment<byte>>(
            instances.Values, instances.Swap, value => codec.Encode(value),
            (bytes, place) => Look(codec.Decode(bytes), place), Passing, ContentSwap.Spoil);
        return new EncodeLoop<TCodec, TShape, N>(codec, instances.Values) { Audit = audit.Run };
    }

    private DecodeLoop<TCodec, TShape, N> DecodeLoop()
    {
        ArraySegment<byte>[] encodings = Encodings(instances.Values);
        var audit = new Audit<ArraySegment<byte>, N>(
            encodings, ContentSwap.Between(encodings, Encodings(instances.Twins)), bytes => codec.Decode(bytes), Look,
            Passing, ContentSwap.Spoil);
        return new DecodeLoop<TCodec, TShape, N>(codec, encodings) { Audit = audit.Run };
    }

    private RoundTripLoop<TCodec, TShape, N> RoundTripLoop()
    {
        var audit = new Audit<N, N>(
            instances.Values, instances.Swap, value => codec.Decode(codec.Encode(value)), Look, Passing,
            ContentSwap.Spoil);
        return new RoundTripLoop<TCodec, TShape, N>(codec, instances.Values) { Audit = audit.Run };
    }

    private uint Look(N value, int place) => Instances<N>.Look<TShape>(value, instances.WantedTwins[place]);

    private ArraySegment<byte>[] Encodings(N[] values) =>
        [.. values.Select(value => new ArraySegment<byte>([.. codec.Encode(value)]))];
}

/// <summary>A step of a codec with messages; <paramref name="make"/> makes one with messages of its own.</summary>
internal sealed class MessageSubject<TCodec, TShape, N, M>(
    string step, Instances<N> instances, Func<TCodec> make, bool passing)
    : Subject(step, instances.Values.Length)
    where TCodec : struct, IMessageCodec<N, M>
    where TShape : struct, IShape<N>
{
    private readonly TCodec _codec = make();

    public override IReadOnlyList<string> Operations =>
        ["to_message", "encode", "decode", "from_message", "round_trip", "round_trip_unused"];

    public override bool Passing => passing;

    public override Loop Loop(string operation) => operation switch
    {
        "to_message" => ToMessageLoop(),
        "encode" => EncodeLoop(),
        "decode" => DecodeLoop(),
        "from_message" => FromMessageLoop(),
        "round_trip" => RoundTripLoop(),
        "round_trip_unused" => new UnusedMessageRoundTripLoop<TCodec, TShape, N, M>(_codec, instances.Values),
        _ => throw Unknown(operation),
    };

    public override byte[] Encode(int instance) => Encoded(instances.Values[instance]);

    public override Func<JsonNode?> Decode(byte[] content)
    {
        M message = _codec.Decode(content);
        return () => default(TShape).Written(_codec.FromMessage(message));
    }

    private ToMessageLoop<TCodec, TShape, N, M> ToMessageLoop()
    {
        // A message may refer to the value that it was made of.
        var audit = new Audit<N, M>(
            instances.Values, instances.Swap, value => _codec.ToMessage(value),
            (message, place) => Look(message, instances.WantedTwins[place]), passing: true);
        return new ToMessageLoop<TCodec, TShape, N, M>(_codec, instances.Values) { Audit = audit.Run };
    }

    private EncodeMessageLoop<TCodec, TShape, N, M> EncodeLoop()
    {
        M[] messages = Messages((codec, instance) => codec.ToMessage(instances.Values[instance]));
        var audit = new Audit<M, ArraySegment<byte>>(
            messages, ContentSwap.None, message => _codec.Encode(message),
            (bytes, place) => Look(_codec.Decode(bytes), instances.Wanted[place]), passing, ContentSwap.Spoil);
        return new EncodeMessageLoop<TCodec, TShape, N, M>(_codec, messages) { Audit = audit.Run };
    }

    private DecodeMessageLoop<TCodec, TShape, N, M> DecodeLoop()
    {
        ArraySegment<byte>[] encodings = Encodings(instances.Values);
        var audit = new Audit<ArraySegment<byte>, M>(
            encodings, ContentSwap.Between(encodings, Encodings(instances.Twins)), bytes => _codec.Decode(bytes),
            (message, place) => Look(message, instances.WantedTwins[place]), passing);
        return new DecodeMessageLoop<TCodec, TShape, N, M>(_codec, encodings) { Audit = audit.Run };
    }

    private FromMessageLoop<TCodec, TShape, N, M> FromMessageLoop()
    {
        M[] messages = Messages((codec, instance) => codec.Decode(Encode(instance)));
        var audit = new Audit<M, N>(
            messages, ContentSwap.None, message => _codec.FromMessage(message),
            (value, place) => Instances<N>.Look<TShape>(value, instances.Wanted[place]), passing);
        return new FromMessageLoop<TCodec, TShape, N, M>(_codec, messages) { Audit = audit.Run };
    }

    private MessageRoundTripLoop<TCodec, TShape, N, M> RoundTripLoop()
    {
        var audit = new Audit<N, N>(
            instances.Values, instances.Swap,
            value => _codec.FromMessage(_codec.Decode(_codec.Encode(_codec.ToMessage(value)))),
            (value, place) => Instances<N>.Look<TShape>(value, instances.WantedTwins[place]), passing,
            ContentSwap.Spoil);
        return new MessageRoundTripLoop<TCodec, TShape, N, M>(_codec, instances.Values) { Audit = audit.Run };
    }

    private uint Look(M message, N wanted) =>
        _codec.Fold(message) + Instances<N>.Differs<TShape>(_codec.FromMessage(message), wanted);

    /// <summary>A message of each instance, by a codec of its own, so that none is filled again.</summary>
    private M[] Messages(Func<TCodec, int, M> of) =>
        [.. Enumerable.Range(0, Size).Select(instance => of(make(), instance))];

    private ArraySegment<byte>[] Encodings(N[] values) =>
        [.. values.Select(value => new ArraySegment<byte>(Encoded(value)))];

    private byte[] Encoded(N value) => [.. _codec.Encode(_codec.ToMessage(value))];
}
