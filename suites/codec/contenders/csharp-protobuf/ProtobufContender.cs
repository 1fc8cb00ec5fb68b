using Codec;
using Google.Protobuf;
using Protobuf;
using Wirelab;
using Proto = Codec.Proto;

CodecWorker.Run(parameters => new ProtobufContender(parameters));

/// <summary>Generated classes, made anew or filled again.</summary>
internal sealed class ProtobufContender(Fields parameters) : Contender
{
    private readonly bool _reuse = parameters.Flag("reuse", false);

    public override (string Name, string Version) Library =>
        ("Google.Protobuf", VersionOf(typeof(IMessage)));

    public override string Format => "protobuf";

    public override Subject Subject(string suite, string step) => step switch
    {
        "T1" => Of<T1Mapping, T1Shape, T1, Proto.T1>(suite, step),
        "T2" => Of<T2Mapping, T2Shape, T2, Proto.T2>(suite, step),
        "T3" => Of<T3Mapping, T3Shape, List<int>, Proto.T3>(suite, step),
        "T4" => Of<T4Mapping, T4Shape, List<string>, Proto.T4>(suite, step),
        "T5" => Of<T5Mapping, T5Shape, Dictionary<string, List<int>>, Proto.T5>(suite, step),
        "telemetry" => Of<TelemetryMapping, TelemetryShape, Telemetry, Proto.Telemetry>(suite, step),
        "chat" => Of<ChatMapping, ChatShape, Chat, Proto.Chat>(suite, step),
        _ => throw Unknown(step),
    };

    public override IVersion Version(string name) => new MessageVersion(name);

    public override ILargeCodec Large => new ProtobufLarge();

    private Subject Of<TMapping, TShape, N, M>(string suite, string step)
        where TMapping : struct, IMapping<N, M>
        where TShape : struct, IShape<N>
        where M : class, IMessage<M>, new() =>
        _reuse
            ? Messages<KeptCodec<TMapping, N, M>, TShape, N, M>(suite, step, () => new(), reused: true)
            : Messages<FreshCodec<TMapping, N, M>, TShape, N, M>(suite, step, () => default, reused: false);
}
