/** Values of the contract that pages need without its schemas. */
export const directions = ['in', 'out', 'internal'] as const
export type Direction = (typeof directions)[number]

export const audioTypes = ['wav', 'mp3', 'ogg'] as const
export type AudioType = (typeof audioTypes)[number]

export const mimeTypes: Record<AudioType, string> = { wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg' }

export const recordingsPerPage = 25
/** Matches are counted up to this number: users narrow the search long before. */
export const countedMost = 10_000
/** Number of points of a waveform, each the peak of its part from 0 to 255. */
export const peakCount = 800
/** Most bytes of one uploaded file: some hours of uncompressed phone audio. */
export const uploadMaxBytes = 256 * 1024 * 1024
export const uploadExtensions = ['.wav', '.mp3', '.ogg', '.opus', '.gsm', '.json', '.csv'] as const

/** Reasons for rejecting a file, each with a text. */
export const refusalReasons = ['noFacts', 'notAudio', 'unreadable', 'needsFfmpeg', 'tooLarge', 'sidecar', 'name'] as const
export type RefusalReason = (typeof refusalReasons)[number]
