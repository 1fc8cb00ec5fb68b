using System.Net.Sockets;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wirelab.Messaging;

/// <summary>A user with a queue of its own for echoes and one for what is sent to all.</summary>
internal sealed class RabbitLink(
    IConnection connection, Func<Socket?> socket, Guarantees guarantees, TimeSpan limit) : ILink
{
    private const string All = "wirelab.all";
    private const string ToQueues = "";

    /// <summary>Named by us rather than by the broker, so that they are the same after a recovery.</summary>
    private readonly string _own = $"wirelab.{Guid.NewGuid()}";

    /// <summary>A channel is for one publisher; what comes has another, on which nothing waits for a confirmation.</summary>
    private IChannel _publishing = null!;
    private IChannel _consuming = null!;
    private volatile Awaited? _awaited;
    private long _calls;

    public bool Acknowledged => guarantees.Confirmed;

    /// <summary>Makes the channels, and the queues that it takes messages from.</summary>
    public async Task Open(Inbox? inbox, CancellationToken limit)
    {
        connection.ConnectionShutdownAsync += Lost;
        _publishing = await connection.CreateChannelAsync(
            guarantees.Confirmed
                ? new CreateChannelOptions(true, true, new ThrottlingRateLimiter(guarantees.Outstanding))
                : new CreateChannelOptions(false, false),
            limit);
        _publishing.ChannelShutdownAsync += Lost;
        _consuming = await connection.CreateChannelAsync(
            new CreateChannelOptions(false, false, consumerDispatchConcurrency: guarantees.Dispatched), limit);
        if (guarantees.Confirmed)
        {
            await _consuming.BasicQosAsync(0, guarantees.Prefetch, false, limit);
        }
        await Consume($"{_own}.echo", Answered, limit);
        if (inbox is not null)
        {
            await _consuming.ExchangeDeclareAsync(All, ExchangeType.Fanout, false, true, cancellationToken: limit);
            await Consume($"{_own}.all", delivery => inbox(delivery.Body), limit);
            await _consuming.QueueBindAsync($"{_own}.all", All, "", cancellationToken: limit);
        }
    }

    public async Task Echo(byte[] message, Reply reply, CancellationToken limit)
    {
        var awaited = new Awaited($"{_calls++}", reply);
        _awaited = awaited;
        await Publish(ToQueues, $"{_own}.echo", awaited.Id, message, limit).ConfigureAwait(false);
        if (guarantees.Confirmed)
        {
            reply.Acknowledged();
        }
    }

    /// <summary>With confirmations it ends when the broker has given one.</summary>
    public Task Broadcast(byte[] message, CancellationToken limit) =>
        Publish(All, "", null, message, limit).AsTask();

    /// <summary>With confirmations all are published before the first of them is waited for.</summary>
    public async Task Stream(IReadOnlyList<byte[]> messages, CancellationToken limit)
    {
        if (!guarantees.Confirmed)
        {
            foreach (byte[] message in messages)
            {
                await Publish(All, "", null, message, limit).ConfigureAwait(false);
            }
            return;
        }
        await Task.WhenAll(messages.Select(message => Broadcast(message, limit))).ConfigureAwait(false);
    }

    public Task Close() => connection.CloseAsync(limit);

    public Task Abandon()
    {
        socket()?.Close(0);
        // Else the library would connect again.
        return connection.AbortAsync(limit);
    }

    private ValueTask Publish(string exchange, string key, string? id, byte[] message, CancellationToken limit)
    {
        var properties = new BasicProperties { DeliveryMode = DeliveryModes.Transient, CorrelationId = id };
        return _publishing.BasicPublishAsync(exchange, key, mandatory: false, properties, message, limit);
    }

    private async Task Consume(string queue, Func<BasicDeliverEventArgs, ValueTask> taker, CancellationToken limit)
    {
        bool acknowledged = guarantees.Confirmed;
        await _consuming.QueueDeclareAsync(queue, false, true, true, cancellationToken: limit);
        var consumer = new AsyncEventingBasicConsumer(_consuming);
        consumer.ReceivedAsync += async (_, delivery) =>
        {
            await taker(delivery).ConfigureAwait(false);
            if (acknowledged)
            {
                await _consuming.BasicAckAsync(delivery.DeliveryTag, false).ConfigureAwait(false);
            }
        };
        await _consuming.BasicConsumeAsync(queue, autoAck: !acknowledged, consumer, limit);
    }

    private ValueTask Answered(BasicDeliverEventArgs delivery)
    {
        if (_awaited is Awaited call && call.Id == delivery.BasicProperties.CorrelationId)
        {
            // The library uses its bytes again as soon as this has ended.
            call.Reply.Returned(delivery.Body.ToArray());
        }
        return ValueTask.CompletedTask;
    }

    /// <summary>Fails the call that waits for a message in vain: queues are gone with their connection.</summary>
    private Task Lost(object sender, ShutdownEventArgs why)
    {
        _awaited?.Reply.Failed(new OperationInterruptedException(why));
        return Task.CompletedTask;
    }

    private sealed record Awaited(string Id, Reply Reply);
}
