using Codec;
using Original;

CodecWorker.Run(_ => new OriginalContender());

/// <summary>The original of the format: every value appended to a buffer of its size, and extracted again.</summary>
internal sealed class OriginalContender : Contender
{
    public override (string Name, string Version) Library =>
        ("CGDK.buffer", VersionOf(typeof(CGDK.buffer)));

    public override string Format => "cgd";

    public override bool TrustsInput => true;

    public override Subject Subject(string suite, string step) => step switch
    {
        "T1" => Native<T1Codec, T1Shape, T1>(suite, step, default),
        "T2" => Native<T2Codec, T2Shape, T2>(suite, step, default),
        "T3" => Native<CollectionCodec<List<int>>, T3Shape, List<int>>(suite, step, default),
        "T4" => Native<CollectionCodec<List<string>>, T4Shape, List<string>>(suite, step, default),
        "T5" => Native<CollectionCodec<Dictionary<string, List<int>>>, T5Shape, Dictionary<string, List<int>>>(
            suite, step, default),
        "telemetry" => Native<TelemetryCodec, TelemetryShape, Telemetry>(suite, step, default),
        "chat" => Native<ChatCodec, ChatShape, Chat>(suite, step, default),
        _ => throw Unknown(step),
    };
}
