using Cgd;
using Codec;

CodecWorker.Run(_ => new CgdContender());

/// <summary>Our own codec of the format, a codec a shape.</summary>
internal sealed class CgdContender : Contender
{
    public override (string Name, string Version) Library => ("CGD format, clean-room codec", "0.1.0");

    public override string Format => "cgd";

    public override Subject Subject(string suite, string step) => step switch
    {
        "T1" => Native<T1Codec, T1Shape, T1>(suite, step, default),
        "T2" => Native<T2Codec, T2Shape, T2>(suite, step, default),
        "T3" => Native<T3Codec, T3Shape, List<int>>(suite, step, default),
        "T4" => Native<T4Codec, T4Shape, List<string>>(suite, step, default),
        "T5" => Native<T5Codec, T5Shape, Dictionary<string, List<int>>>(suite, step, default),
        "telemetry" => Native<TelemetryCodec, TelemetryShape, Telemetry>(suite, step, default),
        "chat" => Native<ChatCodec, ChatShape, Chat>(suite, step, default),
        _ => throw Unknown(step),
    };
}
