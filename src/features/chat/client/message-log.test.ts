import { describe, expect, test } from 'vitest'
import { countOlder, emptyLog, lastWholeSeq, mergeMessages, mergeNewest, mergeOlder, newLog } from './message-log.ts'

const message = (seq: number, id = 100 + seq) => ({ id_message: id, seq, client_message_id: null })
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => message(first + index))
const seqs = (log: { messages: readonly { seq: number }[] }) => log.messages.map(({ seq }) => seq)
const expected = (first: number, last: number) => range(first, last).map(({ seq }) => seq)

describe('the order', () => {
  test('is that of the numbers, whatever the order of arrival', () => {
    const log = mergeMessages(mergeMessages(newLog, [message(3)]), [message(1), message(2), message(3)])
    expect(seqs(log)).toEqual([1, 2, 3])
  })

  test('a note follows the message whose number it repeats', () => {
    const log = mergeMessages(newLog, [message(2, 900), message(3), message(2), message(1)])
    expect(log.messages.map((one) => one.id_message)).toEqual([101, 102, 900, 103])
  })
})

describe('the last number without a gap', () => {
  test('in a conversation that begins now starts at 1', () => {
    expect(lastWholeSeq(newLog)).toBe(0)
    expect(lastWholeSeq(mergeMessages(newLog, [message(1), message(2), message(4)]))).toBe(2)
    expect(lastWholeSeq(mergeMessages(newLog, [message(2)]))).toBe(0)
  })

  test('in a page of a longer conversation starts with the page', () => {
    const page = mergeNewest(emptyLog, [message(51), message(52)], true)
    expect(lastWholeSeq(mergeMessages(page, [message(54)]))).toBe(52)
    expect(lastWholeSeq(mergeMessages(mergeOlder(page, range(41, 50), true), [message(54)]))).toBe(52)
  })

  test('counts a note as no gap', () => {
    expect(lastWholeSeq(mergeMessages(newLog, [message(1), message(1, 900), message(2), message(4)]))).toBe(2)
    expect(lastWholeSeq(mergeMessages(newLog, [message(0, 900)]))).toBe(0)
  })
})

describe('a page', () => {
  test('is the end of the conversation, whatever was pushed meanwhile', () => {
    const log = mergeNewest(mergeMessages(emptyLog, [message(101)]), range(51, 100), true)
    expect(seqs(log)).toEqual(expected(51, 101))
    expect([lastWholeSeq(log), log.hasOlder, countOlder(log)]).toEqual([101, true, 0])
  })

  test('goes before those that are there, and after a long absence takes their place', () => {
    const joined = mergeNewest(emptyLog, range(51, 100), true)
    const scrolled = mergeOlder(joined, range(1, 50), false)
    expect(seqs(scrolled)).toEqual(expected(1, 100))
    expect([countOlder(scrolled), scrolled.hasOlder]).toEqual([50, false])
    expect(seqs(mergeNewest(scrolled, range(101, 120), true))).toEqual(expected(1, 120))
    const late = mergeNewest(scrolled, range(151, 200), true)
    expect(seqs(late)).toEqual(expected(151, 200))
    expect([late.hasOlder, countOlder(late), lastWholeSeq(late)]).toEqual([true, 0, 200])
  })

  test('that brings nothing older ends the search', () => {
    const joined = mergeNewest(emptyLog, range(51, 100), true)
    expect(mergeOlder(joined, range(60, 70), true)).toMatchObject({ hasOlder: false })
    expect(mergeOlder(joined, [], true)).toMatchObject({ hasOlder: false })
  })

  test('that is empty leaves nothing to wait for', () => {
    expect(mergeNewest(emptyLog, [], false)).toMatchObject({ isLoaded: true, hasOlder: false })
  })
})
