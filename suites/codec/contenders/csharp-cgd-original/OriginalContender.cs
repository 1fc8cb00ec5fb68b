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
}

/// <summary>A buffer of the size that a value takes, which has to be there: the library writes beyond a shorter one.</summary>
internal readonly struct OriginalCodec<TShape, N> : INativeCodec<N>
    where TShape : struct, IShape<N>
{
    public ArraySegment<byte> Encode(N value)
    {
        var size = default(SizeSum);
        default(TShape).Write(ref size, value);
        var written = new Written(new buffer(size.Bytes));
        default(TShape).Write(ref written, value);
        return written.Bytes;
    }

    public N Decode(ArraySegment<byte> bytes)
    {
        var read = new Read((buffer)bytes);
        return default(TShape).Read(ref read);
    }
}
