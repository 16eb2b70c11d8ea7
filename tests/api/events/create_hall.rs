//! Large halls of `POST /api/v1/events`.

use tests::prelude::*;

mod in_process {
    use functions::events::registration::Registration;
    use local::layouts::{self, Area};
    use seating::codec::{decode, encode};

    use super::*;

    #[test]
    fn largest_hall_fits_300_write_units() {
        // The event of 2 KB, two lock items, the expiry records and the copies in the indexes.
        const OTHERS: usize = 16;
        let mut largest = layouts::main_stadium();
        for other in [layouts::stadium(), layouts::arena()] {
            let label = |area: &Area| format!("{} {}", other.name, area.label);
            largest.areas.extend(other.areas.iter().map(|area| Area { label: label(area), ..area.clone() }));
        }
        for index in (0..largest.areas.len()).cycle().take(largest.seats() - 100_000) {
            largest.areas[index].seats.pop();
        }
        for (hall, max) in [(layouts::arena(), 60), (largest, 300)] {
            let request = sample::with_hall(sample::event(), &hall).to_string();
            let map = Registration::parse(request.as_bytes()).unwrap().seat_map;
            let encoded = encode(&map);
            let units = 2 * encoded.len().div_ceil(1024) + OTHERS;
            assert!(units <= max, "{}: {units} units for {} seats", hall.name, hall.seats());
            assert!(decode(&encoded).unwrap() == map);
        }
    }

    #[tokio::test]
    async fn arena_is_read_with_one_query() {
        let service = Service::start().await;
        let event = sample::with_hall(sample::concert(), &layouts::arena());
        let created = service.effect(service.api.create(&event)).await;
        assert_snapshot!(created.usage, @"PutItem POSTER, PUT poster, TransactWriteItems: 0 read, 32 write units");
        let id = created.response.id();
        let detail = service.effect(service.api.event(&format!("{id}/detail"))).await;
        assert!(detail.response.data() == created.response.data());
        assert_snapshot!(detail.usage, @"Query: 3 read, 0 write units");
        assert_snapshot!(service.effect(service.api.event(&format!("{id}/seat-map.svg"))).await.usage, @"Query: 3 read, 0 write units");
        assert_snapshot!(service.effect(service.api.delete(&id)).await.usage, @"GetItem EVENT, BatchGetItem, TransactWriteItems: 73 read, 175 write units");
    }

    #[tokio::test]
    async fn large_hall_requires_gzip() {
        let service = Service::start().await;
        let event = sample::with_hall(sample::event(), &layouts::grid(50_000));
        let form = sample::gzip_form(&event);
        // The request fits, but its response does only in gzip. Nothing is stored.
        assert_snapshot!(service.effect(service.api.create_with_form(&form)).await, @r"
        413 C_005 압축하지 않은 응답이 6,291,556바이트를 넘습니다. Accept-Encoding: gzip 헤더를 보내 주세요.
        no calls: 0 read, 0 write units
        ");
        let send = async |encoding: &str| {
            let request = service.api.create_request(&form).header("Idempotency-Key", "a");
            Api::send(request.header("Accept-Encoding", encoding)).await
        };
        let created = send("gzip, br").await.inflated().expect(201, "0");
        // The response to a repetition does, too.
        assert!(send("*").await.inflated().body == created.body);
        send("br").await.check(413, "C_005");
        let path = format!("/api/v1/events/{}/detail", created.id());
        assert_snapshot!(service.api.get(&path).await.summary(), @"413 C_005 압축하지 않은 응답이 6,291,556바이트를 넘습니다. Accept-Encoding: gzip 헤더를 보내 주세요.");
        let detail = service.api.send_with(Method::GET, &path, &[("Accept-Encoding", "gzip")]).await;
        assert_eq!(service.api.get_unless(&path, detail.header("ETag")).await.status, 304);
        assert!(detail.inflated().data() == created.data());
    }
}
