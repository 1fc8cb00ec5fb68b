using CGDK;
using Codec;
using Original;

CodecWorker.Run(_ => new OriginalContender());

/// <summary>The original of the format: every field appended to a buffer of its size, and extracted again.</summary>
internal sealed class OriginalContender : UniformContender
{
    public override (string Name, string Version) Library => ("CGDK.buffer", VersionOf(typeof(buffer)));

    public override string Format => "cgd";

    public override bool TrustsInput => true;

    protected override Subject Of<TShape, N>(string suite, string step) =>
        Native<OriginalCodec<TShape, N>, TShape, N>(suite, step, default);

    protected override INativeCodec<V> OfVersion<V>() => default(OriginalCodec<ReadingFields<V>, V>);
}

/// <summary>A buffer of the size that a value takes, which has to be there: the library writes beyond a shorter one.</summary>
internal readonly struct OriginalCodec<TFields, N> : INativeCodec<N>
    where TFields : struct, IFields<N>
{
    public ArraySegment<byte> Encode(N value)
    {
        var size = default(SizeSum);
        default(TFields).Write(ref size, value);
        var written = new Written(new buffer(size.Bytes));
        default(TFields).Write(ref written, value);
        return written.Bytes;
    }

    public N Decode(ArraySegment<byte> bytes)
    {
        var read = new Read((buffer)bytes);
        return default(TFields).Read(ref read);
    }
}
