namespace Codec;

/// <summary>A library that writes and reads native values. Codecs are structs, as shapes are.</summary>
public interface INativeCodec<N>
{
    /// <summary>A value as bytes.</summary>
    ArraySegment<byte> Encode(N value);

    /// <summary>The value in the bytes; throws where there is none.</summary>
    N Decode(ArraySegment<byte> bytes);
}

/// <summary>A library whose messages are types of their own.</summary>
public interface IMessageCodec<N, M> : IFolding<M>
{
    /// <summary>The message that says what a value says.</summary>
    M ToMessage(N value);

    /// <summary>A message as bytes.</summary>
    ArraySegment<byte> Encode(M message);

    /// <summary>The message in the bytes; throws where there is none.</summary>
    M Decode(ArraySegment<byte> bytes);

    /// <summary>The native value that a message says.</summary>
    N FromMessage(M message);
}
