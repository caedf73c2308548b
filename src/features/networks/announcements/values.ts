/** Of the subject of an announcement whose texts were sent within a day. */
export const alreadySent = 'already sent'
