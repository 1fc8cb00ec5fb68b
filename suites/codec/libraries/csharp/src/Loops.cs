using Wirelab.Batches;

namespace Codec;

/// <summary>A loop that keeps the outcome of each iteration from the optimiser.</summary>
public abstract class KeepingLoop(int size) : Loop(size)
{
    private object? _last;

    protected void Keep(object? outcome) => Volatile.Write(ref _last, outcome);
}

/// <summary>From a native value to bytes.</summary>
internal sealed class EncodeLoop<TCodec, TShape, N>(TCodec codec, N[] values) : KeepingLoop(values.Length)
    where TCodec : struct, INativeCodec<N>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            ArraySegment<byte> bytes = codec.Encode(values[i]);
            sum += Fold.Of(bytes);
            Keep(bytes.Array);
        }
        return sum;
    }
}

/// <summary>From bytes to a native value.</summary>
internal sealed class DecodeLoop<TCodec, TShape, N>(TCodec codec, ArraySegment<byte>[] encodings)
    : KeepingLoop(encodings.Length)
    where TCodec : struct, INativeCodec<N>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            N value = codec.Decode(encodings[i]);
            sum += default(TShape).Fold(value);
            Keep(value);
        }
        return sum;
    }
}

/// <summary>From a native value to bytes, and back.</summary>
internal sealed class RoundTripLoop<TCodec, TShape, N>(TCodec codec, N[] values) : KeepingLoop(values.Length)
    where TCodec : struct, INativeCodec<N>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            ArraySegment<byte> bytes = codec.Encode(values[i]);
            Keep(bytes.Array);
            N value = codec.Decode(bytes);
            sum += default(TShape).Fold(value);
            Keep(value);
        }
        return sum;
    }
}

/// <summary>A round trip of which nobody uses anything.</summary>
internal sealed class UnusedRoundTripLoop<TCodec, TShape, N>(TCodec codec, N[] values) : Loop(values.Length)
    where TCodec : struct, INativeCodec<N>
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            codec.Decode(codec.Encode(values[i]));
        }
        return 0;
    }
}
