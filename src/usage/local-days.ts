/** SQL expressions: the limits of a day, a SQL expression of type date, in a time zone. */
export const startOfDay = (day: string, zone: string): string => `((${day})::timestamp AT TIME ZONE ${zone})`;
export const nextDay = (day: string, zone: string): string => startOfDay(`${day} + 1`, zone);
export const dayOf = (time: string, zone: string): string => `((${time}) AT TIME ZONE ${zone})::date`;
