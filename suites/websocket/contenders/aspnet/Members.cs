using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Net.WebSockets;
using System.Threading.Channels;

/// <summary>Members of each board. Read at every draw and written at every join, hence replaced as a whole.</summary>
internal sealed class Boards
{
    private readonly ConcurrentDictionary<string, ImmutableArray<Member>> _members = new();

    public ImmutableArray<Member> Members(string board) => _members.GetValueOrDefault(board, []);

    public void Join(string board, Member member) => _members.AddOrUpdate(
        board, static (_, member) => [member], static (_, members, member) => members.Add(member), member);

    public void Leave(string board, Member member) => _members.AddOrUpdate(
        board, static (_, _) => [], static (_, members, member) => members.Remove(member), member);
}

/// <summary>Member of a board. A WebSocket takes one <c>SendAsync</c> at a time, and many draw at once.</summary>
internal abstract class Member(WebSocket socket)
{
    /// <summary>Sends <paramref name="text"/>, or sees to it that it is sent.</summary>
    public abstract ValueTask Send(ReadOnlyMemory<byte> text);

    /// <summary>Sends what waits, until <paramref name="stopping"/>.</summary>
    public virtual Task SendWaiting(CancellationToken stopping) => Task.CompletedTask;

    protected ValueTask Write(ReadOnlyMemory<byte> text, CancellationToken stopping) =>
        socket.SendAsync(text, WebSocketMessageType.Text, endOfMessage: true, stopping);

    /// <summary>Ends the connection of a member who cannot be sent to.</summary>
    protected void Abort() => socket.Abort();
}

/// <summary>A member with a bounded queue, which a task of its own empties into the socket.</summary>
internal sealed class QueuedMember(WebSocket socket, int backlog) : Member(socket)
{
    private readonly Channel<ReadOnlyMemory<byte>> _queue = Channel.CreateBounded<ReadOnlyMemory<byte>>(
        new BoundedChannelOptions(backlog) { SingleReader = true });

    public override ValueTask Send(ReadOnlyMemory<byte> text)
    {
        // Whoever reads so slowly that the queue is full must not hold up the others.
        if (!_queue.Writer.TryWrite(text))
        {
            Abort();
        }
        return ValueTask.CompletedTask;
    }

    public override async Task SendWaiting(CancellationToken stopping)
    {
        try
        {
            await foreach (ReadOnlyMemory<byte> text in _queue.Reader.ReadAllAsync(stopping))
            {
                await Write(text, stopping);
            }
        }
        catch (Exception ended) when (ended is WebSocketException or OperationCanceledException)
        {
            // The connection has gone; who reads from it sees that as well.
        }
    }
}

/// <summary>A member whom one sender at a time writes to; the others wait for it.</summary>
internal sealed class LockedMember(WebSocket socket) : Member(socket)
{
    private readonly SemaphoreSlim _gate = new(initialCount: 1);

    public override async ValueTask Send(ReadOnlyMemory<byte> text)
    {
        await _gate.WaitAsync();
        try
        {
            await Write(text, CancellationToken.None);
        }
        catch (Exception ended) when (
            ended is WebSocketException or OperationCanceledException or ObjectDisposedException)
        {
            Abort();
        }
        finally
        {
            _gate.Release();
        }
    }
}
