// Types of the site that several modules need. JSDoc comments name them; nothing of this is sent to a browser.

/** Data of the service, as `openapi.json` describes them. `.ci/lints` generates this file. */
type Schemas = import("../target/openapi").components["schemas"];

type EventSummary = Schemas["EventSummary"];
/** Event as its manager reads it. */
type OwnEvent = Schemas["ManagedEventSummary"];
type Show = Schemas["Show"];
type Seat = Schemas["Seat"];
type SeatKind = Schemas["SeatKind"];
/** Seat with its area, as holds, orders and sales have it. */
type HeldSeat = Schemas["HeldSeat"];
type Sale = Schemas["Sale"];
type SalesSummary = Schemas["SalesSummary"];
type Member = Schemas["Profile"];
/** Hold with the time in milliseconds at which it ends by the clock of this browser. */
type Hold = Schemas["Hold"] & { endsAt: number };
/** Hold of the member, with what a ticket shows. */
type OwnHold = Schemas["OwnHold"] & { endsAt: number };
type Availability = Awaited<ReturnType<typeof import("./site/service/shows.js").readAvailability>>;

// State of pages
type Booking = import("./site/booking/booking.js").Booking;
type Hall = import("./site/hall/hall.js").Hall;
type HallMap = import("./site/hall/hall-map.js").HallMap;
type ManagedEvent = import("./site/manager/managed-event.js").ManagedEvent;
type ShowDesk = import("./site/manager/show-desk.js").ShowDesk;
type Viewport = import("./site/hall/viewport.js").Viewport;

/** Gate whose link was opened on this device. */
type OpenGate = { token: string; eventId: string; showId: string };
/** Result of a scan, by the service or without it: `UNKNOWN` if neither can tell. */
type Verdict = Omit<Schemas["ScanResult"], "result"> & {
    result: Schemas["ScanResultName"] | "UNKNOWN";
    isOffline?: boolean;
    reason?: string;
};
/**
 * Data that a device keeps of a show: its gate and the keys as they were read last, scans that wait (`isTried` if the
 * service may have received one), those that it rejected later, the results of a next scan by the ids of tickets, the
 * ids of scans that were sent but decided by nobody, by the ids of tickets (the next scan of such a ticket, perhaps with
 * another code, is a repetition), the last admission, which can be taken back, and the message of the service if the token
 * is unusable.
 */
type KeptScans = {
    open: OpenGate;
    gate?: Schemas["GateOfShow"];
    keys: JsonWebKey[];
    waiting: (Required<Schemas["Scan"]> & { id: string; seat?: Schemas["ScannedSeat"]; isTried: boolean })[];
    rejected: Verdict[];
    decided: Record<string, Pick<Verdict, "result" | "admittedAt" | "gate">>;
    undecided: Record<string, string>;
    failure?: string;
    last?: { id: string; seatId: string; seat?: Schemas["ScannedSeat"] };
};
interface Window {
    /** Missing in the library of TypeScript, and in many browsers. */
    BarcodeDetector: new (options: object) => { detect: (source: Element) => Promise<{ rawValue: string }[]> };
}

type ServiceError = import("./site/service/client.js").ServiceError;
type SendOptions = {
    fields?: object;
    headers?: Record<string, string>;
    body?: BodyInit;
    signal?: AbortSignal;
    request?: (path: string, options: RequestInit) => Promise<Response>;
};

/** Options of a field: those of its class in `forms/field.js`, and the properties of its input. */
type FieldOptions = { name: string; label: string; type?: unknown; note?: string; [option: string]: unknown };
/** Fields of a form by their names. */
type Fields = Record<string, any>;
type FormOptions = {
    fields?: FieldOptions[];
    values?: Record<string, any>;
    button: string;
    danger?: boolean;
    submit: (fields: Fields) => Promise<any>;
};

/** Content of an element; what is missing or empty is left out. */
type Child = Node | string | number | false | null | undefined;
/** Properties of an element; names with a hyphen are attributes. */
type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
    Omit<HTMLElementTagNameMap[Tag], "dataset" | "form" | "list" | "value">
> & {
    dataset?: object;
    form?: string;
    list?: string;
    value?: string | number;
    [attribute: `${string}-${string}`]: unknown;
};

/** Hall of an event. Only its manager reads the status of the event. */
type HallData = { event: EventSummary & Partial<OwnEvent>; drawing: string; viewBox: ViewBox; areas: HallArea[] };
/**
 * Area as a hall shows it: its number of seats, the path of its outline, the usual distance of neighbours, and the
 * indexes of the seats of each kind.
 */
type HallArea = Pick<Schemas["Area"], "id" | "label" | "price"> & {
    count: number;
    outline: string;
    gap: number;
    bounds: Rectangle;
    kinds: Partial<Record<SeatKind, number[]>>;
};
/** Seats of a hall that are emphasized: those of a price, of a kind, or of both. */
type Emphasis = { price?: number; kind?: SeatKind };
/** Seat that somebody chose, with the indexes of its area and its own. */
type ChosenSeat = Omit<HeldSeat, "areaId"> & { area: number; index: number };
/** Seats that the service is to choose; `where` is a price or the id of an area, or empty. */
type Wish = { count: number; where: string; adjacent: boolean; kinds?: SeatKind[] };
/** Hall that a manager registers; prices and numbers that are wrong are texts. */
type DrawnHall = { viewBox: ViewBox; totalMap: string; areas: DrawnArea[] };
type DrawnArea = {
    label: string;
    price: number | string;
    seats: (Place & Pick<Schemas["SeatRequest"], "row" | "number">)[];
    outline: string;
    attributes?: Record<string, string>;
    areaMap: string;
};

/** Place of the middle of a seat, and its kind. */
type Place = { cx: number; cy: number; kind?: SeatKind };
type Point = [x: number, y: number];
type Rectangle = { x: number; y: number; width: number; height: number };
/** Offset of a stage in its frame, in pixels, and its scale. */
type Position = { x: number; y: number; scale: number };
/** Coordinates of a drawing: `[x, y, width, height]`. */
type ViewBox = number[];
type SeatState = "free" | "chosen" | "mine" | "taken" | "sold" | "held" | "blocked";
/** Returns the state of a seat, by the index of its area, its own index and its id. */
type StateOf = (area: number, index: number, id: string) => SeatState;
/** Runs the action of a button, which is busy meanwhile, and shows why it failed. */
type RunAction = (action: () => Promise<unknown>, button?: EventTarget | null) => Promise<void>;
