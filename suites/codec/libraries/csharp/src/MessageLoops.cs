using Wirelab.Batches;

namespace Codec;

/// <summary>From a native value to a message.</summary>
internal sealed class ToMessageLoop<TCodec, TShape, N, M>(TCodec codec, N[] values) : KeepingLoop(values.Length)
    where TCodec : struct, IMessageCodec<N, M>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            M message = codec.ToMessage(values[i]);
            sum += codec.Fold(message);
            Keep(message);
        }
        return sum;
    }
}

/// <summary>From a message that is there already to bytes.</summary>
internal sealed class EncodeMessageLoop<TCodec, TShape, N, M>(TCodec codec, M[] messages)
    : KeepingLoop(messages.Length)
    where TCodec : struct, IMessageCodec<N, M>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            ArraySegment<byte> bytes = codec.Encode(messages[i]);
            sum += Fold.Of(bytes);
            Keep(bytes.Array);
        }
        return sum;
    }
}

/// <summary>From bytes to a message.</summary>
internal sealed class DecodeMessageLoop<TCodec, TShape, N, M>(TCodec codec, ArraySegment<byte>[] encodings)
    : KeepingLoop(encodings.Length)
    where TCodec : struct, IMessageCodec<N, M>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            M message = codec.Decode(encodings[i]);
            sum += codec.Fold(message);
            Keep(message);
        }
        return sum;
    }
}

/// <summary>From a message that is there already to a native value.</summary>
internal sealed class FromMessageLoop<TCodec, TShape, N, M>(TCodec codec, M[] messages)
    : KeepingLoop(messages.Length)
    where TCodec : struct, IMessageCodec<N, M>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            N value = codec.FromMessage(messages[i]);
            sum += default(TShape).Fold(value);
            Keep(value);
        }
        return sum;
    }
}

/// <summary>From a native value by way of a message to bytes, and all the way back.</summary>
internal sealed class MessageRoundTripLoop<TCodec, TShape, N, M>(TCodec codec, N[] values)
    : KeepingLoop(values.Length)
    where TCodec : struct, IMessageCodec<N, M>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            ArraySegment<byte> bytes = codec.Encode(codec.ToMessage(values[i]));
            Keep(bytes.Array);
            N value = codec.FromMessage(codec.Decode(bytes));
            sum += default(TShape).Fold(value);
            Keep(value);
        }
        return sum;
    }
}

/// <summary>A round trip by way of messages of which nobody uses anything.</summary>
internal sealed class UnusedMessageRoundTripLoop<TCodec, TShape, N, M>(TCodec codec, N[] values)
    : Loop(values.Length)
    where TCodec : struct, IMessageCodec<N, M>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            codec.FromMessage(codec.Decode(codec.Encode(codec.ToMessage(values[i]))));
        }
        return 0;
    }
}
