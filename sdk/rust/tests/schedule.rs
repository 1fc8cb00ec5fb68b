//! The schedule's arithmetic against the words of the contract, computed the slow way.

use proptest::prelude::*;
use wirelab_sdk::schedule::{Cycle, Loop, Schedule, Step};

fn schedule() -> impl Strategy<Value = Schedule> {
    let step = (1_u64..30, 0_u64..12, 1_u64..40, 0_u64..=40, 0_u64..5_000);
    let steps = prop::collection::vec(step, 0..4);
    (
        0_u64..1000,
        1_u64..2_000_000_000,
        1_u64..40,
        0_u64..40,
        steps,
    )
        .prop_map(|(first_ns, period_ns, length, active, rough)| {
            let mut first = 0;
            let mut steps = Vec::new();
            for (count, settle, users, lanes, join_ns) in rough {
                let lanes = lanes.min(users);
                steps.push(Step {
                    name: "s".into(),
                    first,
                    count,
                    settle,
                    users,
                    lanes,
                    join_ns,
                    ramp_ns: 0,
                    parameters: Default::default(),
                });
                first += count;
            }
            Schedule {
                kind: Loop::Open,
                first_ns,
                period_ns,
                count: if steps.is_empty() { 25 } else { first },
                warmup: 0,
                cycle: Cycle {
                    length,
                    active: active.min(length),
                },
                steps,
            }
        })
}

/// `shift(l)` as the contract writes it.
fn naive_shift(schedule: &Schedule, lane: u64) -> i128 {
    let length = i128::from(schedule.cycle.length);
    let period = i128::from(schedule.period_ns);
    (i128::from(lane) * 618_033_989 % 1_000_000_000) * length * period / 1_000_000_000
}

fn naive_due(schedule: &Schedule, lane: u64, tick: u64) -> bool {
    let mut lanes_before = 0;
    let mut held = schedule.steps.is_empty() && lane == 0;
    for step in &schedule.steps {
        if (step.first..step.first + step.count).contains(&tick) {
            held = lane < step.lanes && (lane < lanes_before || tick >= step.first + step.settle);
        }
        lanes_before = step.lanes;
    }
    let mut place = i128::from(tick) - naive_shift(schedule, lane) / i128::from(schedule.period_ns);
    while place < 0 {
        place += i128::from(schedule.cycle.length);
    }
    let active = place % i128::from(schedule.cycle.length) < i128::from(schedule.cycle.active);
    held && active && tick < schedule.count
}

proptest! {
    #[test]
    fn lanes_are_due_when_the_contract_says(schedule in schedule(), lane in 0_u64..45) {
        prop_assert_eq!(schedule.check(), Ok(()));
        let place = schedule.lane(lane);
        let period = i128::from(schedule.period_ns);
        for tick in 0..schedule.count + 3 {
            prop_assert_eq!(schedule.is_due(place, tick), naive_due(&schedule, lane, tick));
            let intended = i128::from(schedule.first_ns)
                + i128::from(tick) * period
                + naive_shift(&schedule, lane) % period;
            prop_assert_eq!(i128::from(schedule.offset_ns(place, tick)), intended);
        }
    }

    #[test]
    fn every_user_joins_once_and_in_time(schedule in schedule()) {
        let joins = schedule.joins();
        let users: Vec<u64> = joins.iter().map(|join| join.user).collect();
        prop_assert_eq!(&users, &(0..schedule.users().unwrap_or(0)).collect::<Vec<_>>());
        let mut known = 0;
        for step in &schedule.steps {
            let added = step.users.saturating_sub(known);
            for k in 0..added {
                let begin = schedule.first_ns + step.first * schedule.period_ns;
                let offset = begin + k * step.join_ns / added;
                prop_assert_eq!(joins[(known + k) as usize].offset_ns, offset);
            }
            known = known.max(step.users);
        }
    }

    #[test]
    fn a_lane_is_due_for_its_part_of_every_cycle(
        length in 1_u64..50, active in 0_u64..50, lane in 0_u64..70_000,
    ) {
        let (active, count) = (active.min(length), 3 * length);
        let step = Step {
            name: "s".into(), first: 0, count, settle: 0, users: 70_000, lanes: 70_000, join_ns: 0,
            ramp_ns: 0, parameters: Default::default(),
        };
        let schedule = Schedule {
            kind: Loop::Open,
            first_ns: 0,
            period_ns: 16_666_667,
            count,
            warmup: 0,
            cycle: Cycle { length, active },
            steps: vec![step],
        };
        let place = schedule.lane(lane);
        let due = (0..count).filter(|tick| schedule.is_due(place, *tick)).count();
        prop_assert_eq!(due as u64, 3 * active);
    }
}

#[test]
fn the_example_of_the_contract() {
    let text = r#"{
        "first_ns": 0, "period_ns": 1000000000, "count": 120, "warmup": 5,
        "cycle": { "length": 1, "active": 1 },
        "steps": [
            { "name": "users-100", "first": 0, "count": 60, "settle": 5,
              "users": 100, "lanes": 100, "join_ns": 2500000000 },
            { "name": "users-300", "first": 60, "count": 60, "settle": 5,
              "users": 300, "lanes": 300, "join_ns": 2500000000 }
        ]
    }"#;
    let schedule: Schedule = serde_json::from_str(text).expect("a schedule");
    assert_eq!(schedule.check(), Ok(()));
    assert_eq!((schedule.lanes(), schedule.users()), (300, Some(300)));
    assert_eq!(schedule.lane(1).phase_ns, 618_033_989);
    assert_eq!(schedule.lane(2).phase_ns, 236_067_978);
    let due = |lane: u64, tick| schedule.is_due(schedule.lane(lane), tick);
    assert!(!due(99, 4) && due(99, 5) && due(99, 60) && due(99, 119) && !due(99, 120));
    assert!(!due(100, 59) && !due(100, 64) && due(100, 65) && !due(300, 65));
    assert_eq!(schedule.joins()[100].offset_ns, 60_000_000_000);
    assert_eq!(schedule.joins()[101].offset_ns, 60_012_500_000);
    assert_eq!((schedule.lanes_at(10), schedule.lanes_at(60)), (100, 300));
}

#[test]
fn schedules_that_are_none() {
    let step = |first, lanes| Step {
        name: "s".into(),
        first,
        count: 10,
        settle: 0,
        users: 10,
        lanes,
        join_ns: 0,
        ramp_ns: 0,
        parameters: Default::default(),
    };
    let good = Schedule {
        kind: Loop::Open,
        first_ns: 0,
        period_ns: 1,
        count: 20,
        warmup: 0,
        cycle: Cycle::default(),
        steps: vec![step(0, 10), step(10, 10)],
    };
    assert_eq!(good.check(), Ok(()));
    let wrong = [
        Schedule {
            period_ns: 0,
            ..good.clone()
        },
        Schedule {
            cycle: Cycle {
                length: 0,
                active: 0,
            },
            ..good.clone()
        },
        Schedule {
            cycle: Cycle {
                length: 2,
                active: 3,
            },
            ..good.clone()
        },
        Schedule {
            steps: vec![step(0, 10), step(11, 10)],
            ..good.clone()
        },
        Schedule {
            steps: vec![step(0, 11)],
            ..good
        },
    ];
    for schedule in wrong {
        assert!(schedule.check().is_err(), "{schedule:?}");
    }
}
