using Codec;
using Google.Protobuf;

namespace Protobuf;

/// <summary>Between a shape's native value and the message that protoc generated for it.</summary>
internal interface IMapping<N, M> : IFolding<M>
    where M : IMessage<M>
{
    /// <summary>Parser of the messages.</summary>
    MessageParser<M> Parser { get; }

    /// <summary>Has a message that is empty say what a value says.</summary>
    void Fill(M message, N value);

    /// <summary>Makes a message empty again; lists and maps keep their room.</summary>
    void Clear(M message);

    /// <summary>The native value that a message says.</summary>
    N Native(M message);
}

/// <summary>A new message and a new array in every call.</summary>
internal readonly struct FreshCodec<TMapping, N, M> : IMessageCodec<N, M>
    where TMapping : struct, IMapping<N, M>
    where M : class, IMessage<M>, new()
{
    public M ToMessage(N value)
    {
        var message = new M();
        default(TMapping).Fill(message, value);
        return message;
    }

    public ArraySegment<byte> Encode(M message) => message.ToByteArray();

    public M Decode(ArraySegment<byte> bytes) => default(TMapping).Parser.ParseFrom(bytes.AsSpan());

    public N FromMessage(M message) => default(TMapping).Native(message);

    public uint Fold(M message) => default(TMapping).Fold(message);
}

/// <summary>Two messages and a buffer that are filled again.</summary>
internal readonly struct KeptCodec<TMapping, N, M> : IMessageCodec<N, M>
    where TMapping : struct, IMapping<N, M>
    where M : class, IMessage<M>, new()
{
    private readonly M _sent = new();
    private readonly M _received = new();
    private readonly Buffer _buffer = new();

    public KeptCodec()
    {
    }

    public M ToMessage(N value)
    {
        default(TMapping).Clear(_sent);
        default(TMapping).Fill(_sent, value);
        return _sent;
    }

    public ArraySegment<byte> Encode(M message)
    {
        ArraySegment<byte> bytes = _buffer.First(message.CalculateSize());
        message.WriteTo(bytes.AsSpan());
        return bytes;
    }

    public M Decode(ArraySegment<byte> bytes)
    {
        default(TMapping).Clear(_received);
        _received.MergeFrom(bytes.AsSpan());
        return _received;
    }

    public N FromMessage(M message) => default(TMapping).Native(message);

    public uint Fold(M message) => default(TMapping).Fold(message);

    private sealed class Buffer
    {
        private byte[] _content = [];

        public ArraySegment<byte> First(int size)
        {
            if (size > _content.Length)
            {
                _content = new byte[Math.Max(size, 2 * _content.Length)];
            }
            return new ArraySegment<byte>(_content, 0, size);
        }
    }
}
