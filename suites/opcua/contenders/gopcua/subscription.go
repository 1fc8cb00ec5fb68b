package main

import (
	"context"
	"time"

	gopcua "github.com/gopcua/opcua"
	"github.com/gopcua/opcua/ua"
	"wirelab.dev/opcua"
)

// Notifications that may wait for their reader.
const queued = 16

func (s session) Poll(ctx context.Context) ([]opcua.Reading, error) {
	response, err := s.connection.Read(ctx, s.polls)
	if err != nil {
		return nil, err
	}
	readings := make([]opcua.Reading, len(response.Results))
	for i, value := range response.Results {
		readings[i] = readingOf(value)
	}
	return readings, nil
}

// Subscribe asks for a handle of each tag that is its number.
func (s session) Subscribe(ctx context.Context, interval time.Duration, kept uint32, changes *opcua.Changes) error {
	told := make(chan *gopcua.PublishNotificationData, queued)
	subscription, err := s.connection.Subscribe(ctx, &gopcua.SubscriptionParameters{Interval: interval}, told)
	if err != nil {
		return err
	}
	go hear(ctx, told, changes)
	items := make([]*ua.MonitoredItemCreateRequest, len(s.polls.NodesToRead))
	for tag, node := range s.polls.NodesToRead {
		item := gopcua.NewMonitoredItemCreateRequestWithDefaults(node.NodeID, ua.AttributeIDValue, uint32(tag))
		item.RequestedParameters.SamplingInterval = float64(interval) / float64(time.Millisecond)
		item.RequestedParameters.QueueSize = kept
		items[tag] = item
	}
	made, err := subscription.Monitor(ctx, ua.TimestampsToReturnSource, items...)
	if err != nil {
		return err
	}
	for _, one := range made.Results {
		if one.StatusCode != ua.StatusOK {
			return one.StatusCode
		}
	}
	return nil
}

func hear(ctx context.Context, told <-chan *gopcua.PublishNotificationData, changes *opcua.Changes) {
	for {
		select {
		case data := <-told:
			if data.Error != nil {
				changes.Fail(data.Error)
			}
			if change, ok := data.Value.(*ua.DataChangeNotification); ok {
				for _, item := range change.MonitoredItems {
					changes.Put(int(item.ClientHandle), readingOf(item.Value))
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

func readingOf(value *ua.DataValue) opcua.Reading {
	reading := opcua.Reading{Value: value.Value.Value()}
	if found := bad(1, func(int) ua.StatusCode { return value.Status }); found != nil {
		reading.Bad = &found[0]
	}
	return reading
}
