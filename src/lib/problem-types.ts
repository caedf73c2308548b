/** `type` of the 401 that requires a recent sign-in: the page asks for the password and repeats the call. */
export const recentSignInProblem = '/problems/recent-sign-in'
