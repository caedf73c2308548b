/** `type` of the 401 that asks for a recent sign-in: the page proves who is there and sends the call again. */
export const recentSignInProblem = '/problems/recent-sign-in'
