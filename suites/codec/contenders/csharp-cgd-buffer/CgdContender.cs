using Cgd;
using Codec;

CodecWorker.Run(_ => new CgdContender());

/// <summary>Our own codec of the format.</summary>
internal sealed class CgdContender : UniformContender
{
    public override (string Name, string Version) Library => ("CGD format, clean-room codec", "0.1.0");

    public override string Format => "cgd";

    public override ILargeCodec Large => new CgdLarge();

    protected override Subject Of<TShape, N>(string suite, string step) =>
        Native<CgdCodec<TShape, N>, TShape, N>(suite, step, default);

    protected override INativeCodec<V> OfVersion<V>() => default(CgdCodec<ReadingFields<V>, V>);
}

/// <summary>Fields appended one after the other to an array of their size, and extracted again.</summary>
internal readonly struct CgdCodec<TFields, N> : INativeCodec<N>
    where TFields : struct, IFields<N>
{
    public ArraySegment<byte> Encode(N value)
    {
        var size = default(CgdSize);
        default(TFields).Write(ref size, value);
        var writer = new CgdWriter(size.Bytes);
        default(TFields).Write(ref writer, value);
        return writer.Bytes;
    }

    public N Decode(ArraySegment<byte> bytes)
    {
        var reader = new CgdReader(bytes);
        return default(TFields).Read(ref reader);
    }
}
