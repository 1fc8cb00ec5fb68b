namespace Wirelab.Messaging;

/// <summary>
/// One echo under way. The time of its end is taken on the thread that brings what was missing; what comes later is
/// ignored.
/// </summary>
/// <param name="acknowledged">Whether the broker's acknowledgement belongs to it.</param>
public sealed class Reply(bool acknowledged)
{
    /// <summary>
    /// Source of the answer. Whoever waits goes on by itself, and not on the thread of the library that brings the
    /// answer.
    /// </summary>
    private readonly TaskCompletionSource<byte[]> _answer =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private int _missing = acknowledged ? 2 : 1;
    private byte[] _message = [];
    private long _endNs;

    /// <summary>The message that came back, when it has, and was acknowledged.</summary>
    internal Task<byte[]> Answer => _answer.Task;

    /// <summary>Time at which it ended. Only after that.</summary>
    internal long EndNs => Volatile.Read(ref _endNs);

    /// <summary>The message has come back: bytes of its own, that nobody changes any more.</summary>
    public void Returned(byte[] message)
    {
        _message = message;
        One();
    }

    /// <summary>The broker has acknowledged it.</summary>
    public void Acknowledged() => One();

    /// <summary>It will not come back.</summary>
    public void Failed(Exception why) => _answer.TrySetException(why);

    private void One()
    {
        long now = Clock.Now;
        if (Interlocked.Decrement(ref _missing) == 0)
        {
            Volatile.Write(ref _endNs, now);
            _answer.TrySetResult(_message);
        }
    }
}
